import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/harness/free-port.ts'
import { install, run } from './install.ts'
import { orders, type Shop, shopEnv } from './shop.ts'

const VERSION = '2.21.2'
const READY_MS = 60_000

export async function startMedusa(databaseUrl: string): Promise<Shop> {
  const folder = await install({
    name: 'medusa',
    dependencies: { '@medusajs/cli': VERSION, '@medusajs/framework': VERSION, '@medusajs/medusa': VERSION },
    files: {
      'medusa-config.js': 'medusa-config.js',
      'prepare.js': 'prepare.js',
      'src/api/orders-of-the-bench/route.js': 'route.js',
    },
  })
  const env = shopEnv(databaseUrl, { LOG_LEVEL: 'error' })
  const medusa = (...args: string[]) => ['node_modules/@medusajs/cli/cli.js', ...args]
  const bounded = { folder, env, timeoutMs: 120_000 }
  await run(process.execPath, medusa('db:migrate', '--skip-scripts'), bounded)
  await run(process.execPath, medusa('exec', './prepare.js'), bounded)
  const port = await freePort()
  const args = medusa('start', '-p', String(port), '-H', '127.0.0.1')
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const deadline = performance.now() + READY_MS
  while (!(await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('Medusa did not start')
    await delay(200)
  }
  return {
    name: `Medusa ${VERSION}`,
    port,
    pid: child.pid ?? 0,
    requests: orders('/orders-of-the-bench', (n) => ({
      email: `person${n}@example.test`,
      currency_code: 'usd',
      items: [{ title: 'Core panel', quantity: 1, unit_price: 99, requires_shipping: false }],
      shipping_address: {
        first_name: 'Ada',
        last_name: `Example ${n}`,
        address_1: `${n} Main Street`,
        city: 'Springfield',
        province: 'IL',
        postal_code: '62701',
        country_code: 'us',
      },
    })),
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
