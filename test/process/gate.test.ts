import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readHistory } from '../../prove/due.ts'
import { gateProofs } from '../../prove/proofs.ts'
import { type Step, take, takeBeside } from '../../prove/steps.ts'
import { root, trackedFiles } from '../harness/sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitlane-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what changed', () => {
  const NOW_S = 1_800_000_000
  const HOUR_S = 3600

  /** A repository with a commit for each file, so many hours ago. */
  function repository(name: string, ages: Record<string, number>) {
    const at = join(folder, name)
    mkdirSync(at)
    const git = (...args: string[]) => execFileSync('git', args, { cwd: at, encoding: 'utf8', stdio: 'pipe' }).trim()
    git('init', '--quiet', '--initial-branch=main')
    const commits: Record<string, string> = {}
    for (const [file, hours] of Object.entries(ages)) {
      writeFileSync(join(at, file), file)
      git('add', file)
      const date = `@${NOW_S - hours * HOUR_S} +0000`
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', file], {
        cwd: at,
        env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
      })
      commits[file] = git('rev-parse', 'HEAD')
    }
    return { at, git, commits }
  }
  const filesOf = (at: string, env: NodeJS.ProcessEnv = {}, recorded: Record<string, string> = {}) =>
    readHistory(at, { env, recorded }).changesFor({ name: 'crash', short: [], files: [] }).files

  const { at, git, commits } = repository('ages', { old: 60, older: 25, new: 3, newest: 0 })

  it('is counted from the commit that GATE_BASE names', () => {
    expect(filesOf(at, { GATE_BASE: commits.new })).toEqual(['newest'])
    expect(filesOf(at, { GATE_BASE: 'HEAD~3' })).toEqual(['older', 'new', 'newest'].toSorted())
  })

  it('is counted from where the branch of a pull request left its target', () => {
    git('update-ref', 'refs/remotes/origin/main', commits.older ?? '')
    expect(filesOf(at, { GITHUB_BASE_REF: 'main' })).toEqual(['new', 'newest'])
  })

  it('is else counted from the newest commit that is a day older, which a nightly run has had', () => {
    expect(filesOf(at)).toEqual(['new', 'newest'])
    // So it is where the base that is named does not exist, as for the first push of a branch.
    expect(filesOf(at, { GATE_BASE: '0000000000000000000000000000000000000000' })).toEqual(['new', 'newest'])
    expect(filesOf(at, { GATE_BASE: '--output=x', GITHUB_BASE_REF: 'gone' })).toEqual(['new', 'newest'])
  })

  it('is counted from a later commit at which the proof was right, and from no commit of another history', () => {
    expect(filesOf(at, {}, { crash: commits.new ?? '' })).toEqual(['newest'])
    expect(filesOf(at, {}, { crash: commits.old ?? '' })).toEqual(['new', 'newest'])
    expect(filesOf(at, {}, { crash: 'f'.repeat(40), webhooks: commits.new ?? '' })).toEqual(['new', 'newest'])
  })

  it('takes in what is not committed', () => {
    writeFileSync(join(at, 'old'), 'changed')
    expect(filesOf(at, { GATE_BASE: 'HEAD' })).toEqual(['old'])
    git('checkout', '--quiet', 'old')
  })

  it('is unknown in a history that is young, shallow or none', () => {
    expect(filesOf(repository('young', { a: 3, b: 0 }).at)).toBeUndefined()
    const shallow = join(folder, 'shallow')
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${at}`, shallow], { stdio: 'pipe' })
    expect(filesOf(shallow)).toBeUndefined()
    const none = join(folder, 'none')
    mkdirSync(none)
    expect(filesOf(none)).toBeUndefined()
    expect(readHistory(none, { env: {}, recorded: {} }).commits).toBe(0)
  })
})

describe('a step of the gate', () => {
  const node = (program: string) => [process.execPath, '-e', program]
  const quietly = async (step: Step) => {
    const printed: string[] = []
    const catching = (text: unknown) => Boolean(printed.push(String(text)))
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(catching),
      vi.spyOn(process.stderr, 'write').mockImplementation(catching),
      vi.spyOn(console, 'log').mockImplementation(catching),
      vi.spyOn(console, 'error').mockImplementation(catching),
    ]
    try {
      return { ...(await take(step, folder)), printed: printed.join('\n') }
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  }

  it('is right if each of its commands is, and runs each in any case', async () => {
    const right = await quietly({ name: 'a', commands: [node('console.log("one")'), node('console.log("two")')] })
    expect(right.right).toBe(true)
    expect(right.printed).toMatch(/one/)
    expect(right.printed).toMatch(/two/)
    const wrong = await quietly({ name: 'a', commands: [node('process.exit(3)'), node('console.log("two")')] })
    expect(wrong.right).toBe(false)
    expect(wrong.printed).toMatch(/two/)
    expect(wrong.printed).toContain('failed, exit code 3')
  })

  it('runs beside one other where it mostly waits, and what each prints stays together', async () => {
    const slowly = (text: string) =>
      node(`console.log("${text} begins"); setTimeout(() => console.log("${text} ends"), 300)`)
    const steps = ['a', 'b', 'c'].map((name) => ({ name, commands: [slowly(name)] }))
    const printed: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(String(text)))
    const taken = await takeBeside('all', [...steps, { name: 'd', commands: [node('process.exit(3)')] }], folder)
    spy.mockRestore()
    expect(taken.map(({ name, right }) => [name, right]).toSorted()).toEqual([
      ['a', true],
      ['all', false],
      ['b', true],
      ['c', true],
      ['d', false],
    ])
    for (const name of ['a', 'b', 'c']) expect(printed.join('\n')).toContain(`── ${name}\n${name} begins\n${name} ends`)
    const [all, ...each] = taken
    expect(all?.wallS).toBeLessThan(each.reduce((sum, { wallS }) => sum + wallS, 0))
  })

  it('fails where its program does not exist or is killed', async () => {
    expect((await quietly({ name: 'a', commands: [['no-such-program-at-all']] })).right).toBe(false)
    expect((await quietly({ name: 'a', commands: [node('process.kill(process.pid, "SIGKILL")')] })).right).toBe(false)
  })

  it('keeps the seed that was printed', async () => {
    const { seed } = await quietly({ name: 'a', commands: [node('console.log("seed 1234567, 5 orders\\nseed 8")')] })
    expect(seed).toBe('1234567')
  })
})

it('the closing line of the gate counts every report, and fails where there is none', () => {
  const write = (name: string, report: object) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(report))
    return path
  }
  const counts = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] }
  const summary = (...files: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, '.ci/summary.js'), ...files], {
      encoding: 'utf8',
    })
    return { status, last: stdout.trim().split('\n').at(-1) }
  }
  const right = write('right.json', { ...counts, success: true })
  expect(summary(right, right)).toEqual({ status: 0, last: '10 passed, 0 failed, 2 skipped; 0 files failed' })
  const wrong = write('wrong.json', { ...counts, numFailedTests: 2, success: false })
  expect(summary(right, wrong)).toEqual({ status: 1, last: '10 passed, 2 failed, 2 skipped; 0 files failed' })
  expect(summary(right, join(folder, 'none.json'))).toEqual({
    status: 1,
    last: '5 passed, 0 failed, 1 skipped; 0 files failed',
  })
})

describe('the whole gate, with an npm that only says what it was asked to run', () => {
  const REPORT = {
    numPassedTests: 5,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    success: true,
  }

  const ofTests = gateProofs.filter(({ tests }) => tests)
  /** Of this many reports, each with five tests. */
  const counted = (reports: number) => `${5 * reports} passed, 0 failed, 0 skipped; 0 files failed`
  const ALL_REPORTS = 2 + ofTests.length
  const withReports = ofTests.map(({ name }) => `prove:${name}`).join('|')

  /** Runs .ci/run of a copy, in which the commands that match `fail` do. `unchanged`: its only commit is its base. */
  function gate(fail: string, { unchanged = false } = {}) {
    const at = mkdtempSync(join(folder, 'checkout-'))
    for (const part of ['.ci', 'prove']) cpSync(join(root, part), join(at, part), { recursive: true })
    writeFileSync(join(at, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'))
    const bin = join(at, 'bin')
    mkdirSync(bin)
    const npm = `#!/bin/sh
echo "ran: $*"
case "$2" in test:*|${withReports}) mkdir -p coverage; echo '${JSON.stringify(REPORT)}' >coverage/tests.json;; esac
case "$*" in ${fail}) exit 1;; esac
`
    for (const name of ['npm', 'apt-get']) writeFileSync(join(bin, name), npm, { mode: 0o755 })
    if (unchanged)
      for (const args of [
        ['init', '--quiet'],
        ['commit', '--quiet', '--allow-empty', '-m', 'First'],
      ])
        execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: at })
    const base = { GATE_BASE: unchanged ? 'HEAD' : '', GITHUB_BASE_REF: '' }
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...base }
    const { status, stdout, stderr } = spawnSync(join(at, '.ci/run'), { cwd: folder, env, encoding: 'utf8' })
    const ran = [...stdout.matchAll(/^ran: (?:run )?(.*)$/gm)].map(([, args]) => args)
    return { status, stdout, stderr, ran, last: stdout.trim().split('\n').at(-1) }
  }

  it('runs every part, says why each proof is due, and ends with a table and the counts', () => {
    const { status, stdout, stderr, ran, last } = gate('nothing')
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(last).toBe(counted(ALL_REPORTS))
    expect(ran[0]).toBe('ci')
    expect(ran).toEqual(expect.arrayContaining(['types', 'lint', 'lint:openapi', 'unused']))
    expect(ran).toContainEqual(expect.stringMatching(/^test:postgres-15 -- --shard=[123]\/3$/))
    for (const { name, short } of gateProofs) {
      expect(ran).toContain([`prove:${name}`, ...(short.length > 0 ? ['--', ...short] : [])].join(' '))
      expect(stdout).toMatch(new RegExp(`prove:${name}, because .+`))
    }
    expect(stdout).toMatch(/^npm ci +right +\d+\.\d/m)
    expect(stdout).toMatch(/^together +right +\d+\.\d/m)
  })

  /** The test files that a run of the gate has, of its own and of its proofs. */
  function filesOf(ran: readonly (string | undefined)[]): string[] {
    const [[, args = ''] = []] = ran.flatMap((one) => [...(one ?? '').matchAll(/^test:all(?: -- (.*))?$/g)])
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json', ...args.split(' ')]
    const listed = execFileSync(process.execPath, vitest.filter(Boolean), { cwd: root, encoding: 'utf8' })
    const own = (JSON.parse(listed) as { file: string }[]).map(({ file }) => file.slice(root.length))
    return [...own, ...ofTests.filter(({ name }) => ran.includes(`prove:${name}`)).flatMap(({ tests = [] }) => tests)]
  }

  it('runs every test file once where all proofs are due, and else all but those of proofs that wait for their turn', () => {
    const all = trackedFiles().filter((path) => path.endsWith('.test.ts'))
    const everything = gate('nothing')
    expect(everything.ran).toContainEqual(expect.stringMatching(/^test:all -- --exclude /))
    expect(filesOf(everything.ran).toSorted()).toEqual(all)
    const little = gate('nothing', { unchanged: true })
    expect(little.ran.filter((one) => one?.startsWith('prove:'))).toHaveLength(2)
    const turns = ofTests.filter(({ name }) => little.ran.includes(`prove:${name}`))
    expect(little.last).toBe(counted(2 + turns.length))
    const waiting = ofTests.filter(({ isSampled }) => !isSampled).flatMap(({ tests = [] }) => tests)
    expect(waiting.length).toBeGreaterThan(10)
    expect(filesOf(little.ran).toSorted()).toEqual(all.filter((path) => !waiting.includes(path)))
  })

  it('goes on where a part fails, and fails', () => {
    const { status, stdout, ran, last } = gate('"run prove:inputs"')
    expect(status).toBe(1)
    expect(ran.at(-1)).toMatch(/^prove:/)
    expect(ran).toContain('prove:packages')
    expect(stdout).toMatch(/^prove:inputs +MISSED/m)
    expect(last).toBe(counted(ALL_REPORTS))
    expect(gate('"run lint"').status).toBe(1)
  })

  it('ends at once where the packages cannot be installed', () => {
    const { status, ran } = gate('ci')
    expect(status).toBe(1)
    expect(ran).toEqual(['ci'])
  })
})
