import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../test/harness/free-port.ts'

/** Starts the package as `kitlane.socket` does: at the first connection, on a port that systemd's own tool listens on. */
export async function checkActivation(launcher: string, place: string, home: string): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const args = [`--listen=${address}`, process.execPath, launcher, 'start', '--port', '1']
  const child = spawn('systemd-socket-activate', args, {
    cwd: place,
    env: { PATH: process.env.PATH, HOME: home, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  const listens = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Listening on')) resolve()
    })
    child.on('exit', () => reject(new Error(`It does not start on a port of systemd:\n${output}`)))
  })
  await listens
  // The connection waits until the service listens.
  const { status } = await fetch(`http://${address}/health/live`)
  child.kill('SIGTERM')
  const [code] = await ended
  if (status !== 200 || code !== 0)
    throw new Error(`On a port of systemd it answers ${status}, ends with ${code}:\n${output}`)
  return 'it starts at the first request, on a port that systemd holds, and answers it'
}
