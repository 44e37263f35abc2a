import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { root } from '../harness/sources.ts'

const tiny = join(root, 'test/harness/tiny-run/vitest.config.ts')

interface Run {
  child: ChildProcess
  ended: Promise<void>
  output: () => string
}

/** Starts a test runner in its own process group, as a shell does, with all its temporary folders in one. */
function start(folder: string): Run {
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--config', tiny], {
    cwd: root,
    env: { ...env, TMPDIR: folder, VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, ended: new Promise((resolve) => child.once('exit', () => resolve())), output: () => output }
}

/** Waits for PostgreSQL and returns its process ID. */
async function postmaster(folder: string): Promise<number> {
  for (;;) {
    const [data] = (await readdir(folder)).filter((name) => name.startsWith('kitlane-test-'))
    const text = data && (await readFile(join(folder, data, 'postgres/postmaster.pid'), 'utf8').catch(() => ''))
    if (text?.includes('ready')) return Number(text.split('\n')[0])
    await delay(50)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
}

it.each([
  ['to the process', (pid: number) => process.kill(pid, 'SIGINT')],
  ['to its group, as the terminal sends it', (pid: number) => process.kill(-pid, 'SIGINT')],
])('one SIGINT %s ends the test runner, its PostgreSQL and its folder', async (_, interrupt) => {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-runner-'))
  const run = start(folder)
  const pid = await postmaster(folder)
  // Interrupt in the middle of a test.
  await expect.poll(() => run.output()).toContain('the test runs')
  interrupt(run.child.pid ?? 0)
  await run.ended
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect.poll(async () => (await readdir(folder)).filter((name) => name.startsWith('kitlane-test-'))).toEqual([])
  await rm(folder, { recursive: true })
})
