import { describe, expect, it } from 'vitest'
import { inheritedSocket } from '../../src/cli/start.ts'

describe('a port that systemd holds', () => {
  it('is the first descriptor after standard error', () => {
    expect(inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 7)).toBe(3)
  })

  it('is for the process that systemd started, and not for its children', () => {
    expect(inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 8)).toBeUndefined()
    expect(inheritedSocket({}, 8)).toBeUndefined()
  })

  it('is one port: with several the service does not start, and says what to do', () => {
    expect(() => inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7)).toThrow(
      'systemd hands over 2 sockets, and Kitlane takes one. Keep one ListenStream in kitlane.socket.',
    )
  })
})
