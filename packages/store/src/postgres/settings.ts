/**
 * The server's settings, written anew at every start: the launcher owns the file.
 * Durability is on (architecture.md). Recovery after a kill replays at most about half of `max_wal_size`, which
 * keeps a restart well below five seconds.
 */

export const PORT = 5432;

export function settingsText(socketFolder: string): string {
  return `# Written by Millrace at every start; changes are lost.
listen_addresses = ''
port = ${PORT}
unix_socket_directories = '"${quoted(socketFolder)}"'
unix_socket_permissions = 0700
max_connections = 60

fsync = on
synchronous_commit = on
full_page_writes = on
wal_level = minimal
max_wal_senders = 0
wal_buffers = 32MB
min_wal_size = 512MB
max_wal_size = 2GB
checkpoint_timeout = 5min
checkpoint_completion_target = 0.9

shared_buffers = 256MB
dynamic_shared_memory_type = posix
jit = off
max_parallel_workers_per_gather = 0
autovacuum_naptime = 15s

timezone = 'UTC'
log_timezone = 'UTC'
log_destination = 'stderr'
logging_collector = off
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;
}

/** The socket lies in a folder that only this account may enter; there is no other way in. */
export const HBA_TEXT = '# Written by Millrace at every start; changes are lost.\nlocal all all trust\n';

function quoted(text: string): string {
  return text.replaceAll('"', '""').replaceAll("'", "''");
}
