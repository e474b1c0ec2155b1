import { createServer, request as send } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A forward proxy on loopback: plain requests by their absolute address, others through a tunnel. */
export interface LoopbackProxy {
  /** With user name and password when it wants them. */
  readonly url: string;
  /** `GET http://…` or `CONNECT host:port`, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** @param password Asked of user `ada`; none by default. */
export async function startLoopbackProxy(password?: string): Promise<LoopbackProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = password === undefined ? undefined : `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`;
  const server = createServer((incoming, response) => {
    const url = incoming.url ?? "";
    seen.push(`${incoming.method} ${url}`);
    if (wanted !== undefined && incoming.headers["proxy-authorization"] !== wanted) {
      response.writeHead(407).end();
      return;
    }
    const { host: _host, "proxy-authorization": _proof, ...headers } = incoming.headers;
    const onward = send(url, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => void sockets.add(socket));
  server.on("connect", (incoming, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    if (wanted !== undefined && incoming.headers["proxy-authorization"] !== wanted) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const proof = password === undefined ? "" : `ada:${password}@`;
  return {
    url: `http://${proof}127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
