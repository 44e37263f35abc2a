import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { root } from '../harness/sources.ts'

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The processes of the service that `npm run dev` has started, in this order, once there are so many. */
async function services(parent: number | undefined, count: number): Promise<number[]> {
  let found: number[] = []
  await expect
    .poll(async () => {
      const all = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ').map(Number)
      const commands = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
      found = all.filter((_, at) => commands[at]?.includes('dev-service.ts'))
      return found.length
    })
    .toBe(count)
  return found
}

test('npm run dev serves the dashboard with hot reload in front of the service, which a change restarts; Ctrl-C ends both', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(scripts.dev).toBe('node web/build/dev.ts')
  const data = await mkdtemp(join(tmpdir(), 'kitlane-dev-'))
  const port = await freePort()
  const child = spawn(process.execPath, ['web/build/dev.ts', '--port', String(port), '--data', data], {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const found = async (pattern: RegExp) => {
    // All that it said, where vitest would cut it after forty characters.
    await expect
      .poll(() => said)
      .toMatch(pattern)
      .catch((err) => {
        throw new Error(said, { cause: err })
      })
    return pattern.exec(said)?.[1] ?? ''
  }
  const dashboard = await found(/dashboard, with hot reload, is at (\S+)/)
  expect(await found(/Kitlane is ready on (\S+)/)).toBe(`http://127.0.0.1:${port}`)
  expect(await (await fetch(dashboard)).text()).toContain('/app/@vite/client')
  expect((await fetch(new URL('/api/v1/verify-token', dashboard))).status).toBe(401)

  const postmasterNow = async () =>
    Number((await readFile(join(data, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const postmaster = await postmasterNow()
  expect(isThere(postmaster)).toBe(true)

  const change = async (path: string) => {
    said = ''
    const began = performance.now()
    await utimes(join(root, path), new Date(), new Date())
    await found(/Kitlane is ready on (\S+)/)
    process.stdout.write(`ready ${(performance.now() - began).toFixed(0)} ms after a change of ${path}\n`)
    expect([await postmasterNow(), isThere(postmaster)]).toEqual([postmaster, true])
    expect((await fetch(new URL('/api/v1/verify-token', dashboard))).status).toBe(401)
  }
  const [, next] = await services(child.pid, 2)
  await change('src/service/open.ts')
  const [serving, waiting] = await services(child.pid, 2)
  expect(serving, 'the process that waited for a change').toBe(next)
  await change('src/platform/log.ts')
  const after = await services(child.pid, 2)
  expect(after, 'a process that has loaded what the file was before').not.toContain(waiting)

  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  // Its parent has ended: it is there until init has asked how it ended.
  await expect.poll(() => isThere(postmaster)).toBe(false)
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed')
  await rm(data, { recursive: true })
})
