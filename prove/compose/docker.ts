import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// Debian's own: a client of another version stands before it on some machines.
const DOCKER = '/usr/bin/docker'

/** A Docker of our own, in the network and mount namespace of this process. */
export class Docker {
  readonly #env: NodeJS.ProcessEnv
  readonly #stop: () => Promise<void>

  private constructor(socket: string, stop: () => Promise<void>) {
    this.#env = { ...process.env, DOCKER_HOST: `unix://${socket}`, COMPOSE_HTTP_TIMEOUT: '600' }
    this.#stop = stop
  }

  static async start(folder: string): Promise<Docker> {
    const at = (name: string) => join(folder, name)
    const log = openSync(at('dockerd.log'), 'w')
    const places = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')]
    const daemon = spawn('dockerd', [...places, '--host', `unix://${at('socket')}`], { stdio: ['ignore', log, log] })
    closeSync(log)
    const ended = once(daemon, 'exit')
    const docker = new Docker(at('socket'), async () => {
      daemon.kill('SIGTERM')
      await ended
    })
    while (!existsSync(at('socket')) || docker.maybe('info').status !== 0) {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}: see ${at('dockerd.log')}`)
      await delay(200)
    }
    return docker
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  maybe(...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(DOCKER, args, { env: this.#env, encoding: 'utf8' })
  }

  /** @throws what docker says */
  must(...args: string[]): string {
    return output('docker', args, this.maybe(...args))
  }

  /** A function for `docker-compose` with the file and project given. @throws what it says */
  compose(file: string, project: string): (...args: string[]) => string {
    const named = ['--file', file, '--project-name', project]
    return (...args) => {
      const ran = spawnSync('docker-compose', [...named, ...args], { env: this.#env, encoding: 'utf8' })
      return output('docker-compose', args, ran)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: what `docker inspect` says of anything
  inspect(id: string): any {
    return JSON.parse(this.must('inspect', id))[0]
  }
}

function output(
  program: string,
  args: readonly string[],
  { status, stdout, stderr }: SpawnSyncReturns<string>,
): string {
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trim()
}
