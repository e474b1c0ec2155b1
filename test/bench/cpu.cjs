"use strict";
// Loaded into a measured program by --require: tells at its end what it cost, microseconds of user and system time.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_CPU_FILE, String(user + system));
});
