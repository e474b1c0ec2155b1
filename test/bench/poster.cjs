"use strict";
// The least a Node program needs to ask a server something: the measure for every other start.
const http = require("node:http");

const body = JSON.stringify({ model: "bare", messages: [{ role: "user", content: "hi" }] });
const request = http.request(
  process.argv[2] + "/bare",
  { method: "POST", headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) } },
  (response) => {
    response.resume();
    response.on("end", () => console.log("answered"));
  },
);
request.end(body);
