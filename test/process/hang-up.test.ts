import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runKitlane, spawnKitlane } from '../harness/kitlane.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-hang-up-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('SIGHUP, which programs send that rotate logs, does not stop a service that streams its audit to a file', async () => {
  const file = join(folder, 'audit.jsonl')
  const env = { LOG_LEVEL: 'info', AUDIT_STREAM: `file://${file}` }
  const running = spawnKitlane(['start', '--port', '0', '--demo', '--data', join(folder, 'data')], env, folder)
  try {
    const [, url = ''] = await running.until(/^Kitlane is ready on (http:\S+)$/m)
    running.child.kill('SIGHUP')
    await running.until(/SIGHUP is ignored/)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    // A stream has what is sealed: the command seals at once what the service seals each minute.
    const seal = () => runKitlane(['verify-audit', '--data', join(folder, 'data')], env, folder)
    await seal()
    const lines = () =>
      readFile(file, 'utf8').then(
        (text) => text.trim().split('\n'),
        () => [],
      )
    await expect.poll(async () => (await lines()).length, { interval: 200 }).toBeGreaterThan(1)
    await rename(file, `${file}.1`)
    running.child.kill('SIGHUP')
    await fetch(`${url}/api/v1/orders`)
    await seal()
    await expect
      .poll(async () => (await lines()).some((line) => line.includes('access.refused')), { interval: 200 })
      .toBe(true)
  } finally {
    running.child.kill('SIGTERM')
    await running.ended
  }
})
