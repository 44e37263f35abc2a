/** Sized for a machine with 1 GB; fsync stays on. Given on the command line, so that an upgrade changes them. */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '400',
  shared_buffers: '128MB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Nothing subscribes here: one process less.
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors repeat submitted values, which are health data: only what concerns the server itself is logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_checkpoints: 'off',
}

export function settingArguments(): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
