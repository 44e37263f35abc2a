/** Every way in which a database is away, in the words of the network, the driver and the server. Tests try each. */
export const waysToBeAway = {
  /** Codes of Node and of its resolver, on a connection that stood. */
  network: [
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
    ...['ENETDOWN', 'ENETRESET', 'ENOTCONN', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
    ...['ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ],
  /** What `pg` and its pool say without a code. */
  driver: [
    ...['timeout exceeded when trying to connect', 'timeout expired', 'Query read timeout'],
    'Connection terminated due to connection timeout',
    ...['Connection terminated', 'not queryable', 'Client was closed', 'Cannot use a pool after calling end'],
  ],
  /**
   * SQLSTATE, whole or its beginning, after which a connection is gone: it failed; its transaction stood still or took too long;
   * the server is stopping, stopped or starting, or lost its disk.
   */
  ended: ['08', '25P03', '25P04', '57P01', '57P02', '57P03', '57P04', '57P05', '58'],
  /**
   * After which a connection is of no use, and another may be: it is to a standby, or what it had prepared is not there any more
   * behind a pooler that was restarted.
   */
  useless: ['25006', '26000'],
  /** The server is there, did nothing, and may do it in a moment: conflicts, resources, locks, cancellations, old snapshots. */
  busy: ['40', '53', '55', '57', '72'],
} as const

/** Whether a SQLSTATE is, or begins with, one of these. */
export const isAmong = (states: readonly string[], code: string | undefined): boolean =>
  code !== undefined && states.some((state) => code.startsWith(state))

/** The driver's own sentence within a message; undefined where it says something else. */
export const driverSentence = (message: string): string | undefined =>
  waysToBeAway.driver.find((words) => message.includes(words))
