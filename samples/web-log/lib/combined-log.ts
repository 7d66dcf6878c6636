/** A line of a web server's log in the "combined" format of Apache and nginx. */

export interface Request {
  client: string;
  method: string;
  path: string;
  status: number;
  bytes: number;
  referrer: string;
  agent: string;
}

const LINE = /^(\S+) \S+ \S+ \[[^\]]+\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"$/;

/** Throws on a line that is not one. */
export function parseLine(line: string): Request {
  const found = LINE.exec(line);
  if (found === null) throw new Error(`not a line of a combined log: ${line}`);
  const [client = '', method = '', path = '', status, bytes, referrer = '', agent = ''] = found.slice(1);
  return {
    client,
    method,
    path,
    status: Number(status),
    bytes: bytes === '-' ? 0 : Number(bytes),
    referrer,
    agent,
  };
}
