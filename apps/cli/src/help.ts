/** The texts of `--help`. */

export const overview = `Millrace runs pipelines of streams: folders with a pipeline.json and TypeScript nodes.

  millrace run <folder>      run a pipeline; on bounded inputs until all is processed
  millrace check <folder>    all issues, with file:line:column
  millrace test <folder>     the recorded cases in tests/
  millrace types <folder>    types for other editors, under .millrace/
  millrace bench [name …]    measure this machine

  millrace serve             the server: accounts, deployed pipelines, live views
  millrace owner-link        a link that makes an owner account
  millrace reset-password    a link that sets a new password

  millrace status            the pipelines of a server and what they do
  millrace push <folder>     the folder becomes the draft on the server
  millrace pull <folder>     the draft on the server becomes the folder
  millrace deploy <folder>   push, publish a version and run it

  millrace <command> --help  its flags
  millrace --version

Exit codes: 0 done, 1 issues, 2 usage, 3 failed.
`;

const run = `millrace run <folder> [flags]

Checks and builds the pipeline and runs it. On bounded inputs it ends when all is processed and the watermark
has reached the end; SIGTERM or Ctrl-C drains and stops, a second one stops at once. Killed and started again
it goes on where it was, and the sinks show every result once. A changed folder is a deploy: what is in flight
is finished by the old version first, state stays with its node.

  --mode continuous        how it runs; discretized is not in this version
  --workers <n>            worker processes, 1 to 64 (default 1)
  --param <name>=<value>   a parameter of the pipeline; may be repeated
  --data <folder>          where state is kept (default <folder>/.millrace/data)
  --fresh                  forget everything stored for this pipeline and start anew
  --port <n>               where HTTP injectors take records, on 127.0.0.1 (default 4781, or a free one)
  --drop-state             agree that a changed pipeline loses state it cannot keep
  --json                   the summary as one line of JSON on stdout, all else on stderr

DATABASE_URL names a Postgres (15 or newer) to keep state in; without it one is started under --data.
MILLRACE_INGEST_TOKEN is the token that whoever posts records has to send; without it each run makes one.
Exit codes: 0 done, 1 issues, 2 usage, 3 failed. Dead letters do not change it.
`;

const check = `millrace check <folder> [--json]

Prints every issue of the pipeline as file:line:column: severity: message. Exits 1 if one of them is an error.

  --json   { "ok", "issues" } as one line of JSON on stdout, all else on stderr
`;

const test = `millrace test <folder> [--json]

Runs the recorded cases in tests/*.json and prints how the output differs. Exits 1 if a case differs.

  --json   { "ok", "passed", "failed", "cases" } as one line of JSON on stdout, all else on stderr
`;

const types = `millrace types <folder>

Writes the types of the pipeline's streams and a tsconfig under <folder>/.millrace, for editors of your choice.
`;

const bench = `millrace bench [name …] [--tiny] [--out <file>]

Measures this machine and prints one table a run, with the ceiling measured beside it. Without names: all.

  --tiny         small sizes, to see that the benchmarks work; the figures mean nothing
  --out <file>   writes the figures as JSON
`;

const serve = `millrace serve [flags]

Starts the server with its database and its engine, and prints its address; the first time also a link that makes
the owner account (good once, for 24 h). SIGTERM or Ctrl-C stops all in order, a second one at once. Whatever is
killed, the next start finds everything as it was. Each flag has an environment variable.

  --host <address>      where to listen (MILLRACE_HOST, default 127.0.0.1)
  --port <n>            MILLRACE_PORT, default 4780 or the next free one
  --data <folder>       where all is kept (MILLRACE_DATA, default .millrace in the program's folder)
  --public-url <url>    how people reach it through a proxy (MILLRACE_PUBLIC_URL)
  --paused              every pipeline stays paused until somebody resumes it (MILLRACE_PAUSED=1)

MILLRACE_OWNER_EMAIL and MILLRACE_OWNER_PASSWORD make the owner without a browser; ignored once there is one.
DATABASE_URL names a Postgres (15 or newer) to use instead of our own. MILLRACE_LOG sets how much goes into
server.log of the data folder (debug, info, warn). A second server on the same DATABASE_URL stands by and takes over.
Exit codes: 0 stopped, 2 usage, 3 failed.
`;

const ownerLink = `millrace owner-link [--data <folder>]

Prints a link that makes an owner account: good once, for 24 hours. The server may run or not.
`;

const resetPassword = `millrace reset-password <email> [--data <folder>]

Prints a link that sets a new password for this account: good once, for 24 hours. The server may run or not.
`;

const serverFlags = `  --server <url>   the server (default MILLRACE_SERVER, else http://127.0.0.1:4780)
  --json           the result as one line of JSON on stdout, all else on stderr

MILLRACE_TOKEN holds an API token of the server, made on its page.
`;

const status = `millrace status [flags]

Shows every pipeline of the server: what it should do, what it does, and which version.

${serverFlags}`;

const push = `millrace push <folder> [flags]

Makes the draft on the server equal to the folder; a pipeline that is not there yet is made. Nothing that runs
changes. Refused when somebody changed the draft since the last push or pull.

  --force          overwrite what others did
${serverFlags}`;

const pull = `millrace pull <folder> [flags]

Makes the folder equal to the draft on the server. Other files in the folder stay. Refused when the folder has
changes that were not pushed.

  --pipeline <id>  which one, where the folder does not say
  --version <n>    a version instead of the draft
  --force          overwrite changes of the folder
${serverFlags}`;

const deploy = `millrace deploy <folder> [flags]

Pushes the folder, checks and builds it on the server into a version, and runs that version in place of the one
before. State stays with its node. Waits until it runs.

  -m, --message <text>  what the version is about
  --workers <n>         worker processes, 1 to 64 (default: as before, else 1)
  --paused              deployed, but reading nothing yet
  --drop-state          agree that state goes which cannot be kept
  --force               overwrite what others did to the draft
${serverFlags}`;

const texts = new Map([
  ['status', status],
  ['push', push],
  ['pull', pull],
  ['deploy', deploy],
  ['serve', serve],
  ['owner-link', ownerLink],
  ['reset-password', resetPassword],
  ['run', run],
  ['check', check],
  ['test', test],
  ['types', types],
  ['bench', bench],
]);

export const helpOf = (command: string): string | undefined => texts.get(command);
