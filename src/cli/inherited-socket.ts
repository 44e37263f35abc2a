import { StartError } from '../domain/errors.ts'

// The first descriptor after standard error: sd_listen_fds(3).
const FIRST_SOCKET = 3

/** The descriptor of the port that a supervisor such as systemd holds for this process. Undefined: none. */
export function inheritedSocket(env: Record<string, string | undefined>, pid: number): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = env
  // Variables for another process were inherited by mistake.
  if (!LISTEN_FDS || Number(LISTEN_PID) !== pid) return undefined
  if (LISTEN_FDS === '1') return FIRST_SOCKET
  throw new StartError(
    `systemd hands over ${LISTEN_FDS} sockets, and Kitlane takes one. Keep one ListenStream in kitlane.socket.`,
  )
}
