import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../test/harness/free-port.ts'
import { install } from './install.ts'
import { orders, type Shop, shopEnv } from './shop.ts'

const VERSION = '3.7.3'

export async function startVendure(databaseUrl: string): Promise<Shop> {
  const folder = await install({
    name: 'vendure',
    dependencies: { '@vendure/core': VERSION, pg: '8' },
    // A dependency asks for a 10.3 of this, which is not in every mirror of the registry.
    overrides: { '@graphql-tools/batch-execute': '10' },
    files: { 'server.js': 'server.js' },
  })
  const port = await freePort()
  const env = shopEnv(databaseUrl, { PORT: String(port) })
  const child = fork(join(folder, 'server.js'), { cwd: folder, env, execArgv: ['--no-deprecation'] })
  const left = once(child, 'exit').then(() => Promise.reject(new Error('Vendure did not start')))
  const [ids] = await Promise.race([once(child, 'message') as Promise<[object]>, left])
  return {
    name: `Vendure ${VERSION}`,
    port,
    pid: child.pid ?? 0,
    requests: orders('/orders-of-the-bench', (n) => ({
      ...ids,
      customer: { emailAddress: `person${n}@example.test`, firstName: 'Ada', lastName: `Example ${n}` },
      address: {
        fullName: `Ada Example ${n}`,
        streetLine1: `${n} Main Street`,
        city: 'Springfield',
        province: 'IL',
        postalCode: '62701',
        countryCode: 'US',
      },
    })),
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
