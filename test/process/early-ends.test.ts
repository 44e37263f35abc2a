import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnKitlane } from '../harness/kitlane.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-early-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const launcher = fileURLToPath(new URL('../../bin/kitlane.js', import.meta.url))

/** Runs a command whose reader has left before it writes. Returns its exit code and what it says on standard error. */
const unread = (command: string) =>
  new Promise<{ code: string; stderr: string }>((resolve) => {
    const script = `{ "$0" "$1" ${command}; echo "exit $?" >&2; } | true`
    execFile('sh', ['-c', script, process.execPath, launcher], { cwd: folder }, (_, __, stderr) => {
      const [, said = '', code = ''] = /^([\s\S]*)exit (\d+)\n$/.exec(stderr) ?? []
      resolve({ code, stderr: said })
    })
  })

describe('a command whose output nobody reads to its end', () => {
  it.each(['--help', '--version', 'business create --help', 'openapi', 'doctor --help'])(
    'ends without a word of a crash: kitlane %s | head',
    async (command) => {
      expect(await unread(command)).toEqual({ code: '0', stderr: '' })
    },
  )
})

describe('a data folder that cannot be made', () => {
  it.runIf(process.platform === 'linux').each([
    ['start', '--data', '/proc/kitlane'],
    ['migrate', '--data', '/proc/kitlane/data'],
    ['start', '--data', '/dev/null/data'],
  ])('is told in a sentence, and nothing spins: kitlane %s %s %s', async (...args) => {
    const { code, stderr } = await spawnKitlane(args, {}, folder).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The .+ \((ENOENT|EACCES|EPERM|ENOTDIR|EROFS)\)\. .*--data.*\n$/)
  })
})

it('the launcher is plain JavaScript', () => {
  expect(spawnSync(process.execPath, ['--check', launcher]).status).toBe(0)
})
