// Proves that what a release ships installs in an empty folder and works: npm run prove:packages -- [--inject-fault]
// --inject-fault takes one file out of the package, which must be found.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { caller } from '../test/harness/caller.ts'
import { spawnKitlane } from '../test/harness/kitlane.ts'
import { anOrder } from '../test/harness/orders.ts'
import { checkActivation } from './packages/activation.ts'
import { checkChart } from './packages/chart.ts'
import { checkContents, checkUnits } from './packages/contents.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
// The last release of Node 16.
const OLD_NODE = '16.20.2'
const began = performance.now()
let promisesKept = 0
let broken: unknown
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)

function check(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`Broken: ${promise}`)
  promisesKept++
  say(promise)
}

/** On a busy machine the service sheds load at first: 503 is asked again, for a minute. */
async function load(url: string, headers: Record<string, string> = {}): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, { headers })
    if (response.status !== 503 || tries === 60) return response
    await delay(1000)
  }
}

const folder = await mkdtemp(join(tmpdir(), 'kitlane-packages-'))
try {
  const files = join(folder, 'release')
  execFileSync('npm', ['run', '--silent', 'release:files', '--', files], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const sums = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: files })
  check(sums.status === 0, 'the checksums of the release are those of its files')
  const clients = [`kitlane-client-${version}.tgz`, `kitlane-python-${version}.tar.gz`]
  check(
    clients.every((name) => existsSync(join(files, name))),
    'the release has the clients for TypeScript and Python',
  )
  const tarball = join(files, `kitlane-${version}.tgz`)
  say(await checkContents(tarball))

  const home = join(folder, 'home')
  const place = join(folder, 'installed')
  for (const path of [home, place]) await mkdir(path)
  const env = {
    ...process.env,
    HOME: home,
    npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
  }
  const install = (...args: string[]) =>
    execFileSync('npm', ['install', '--silent', '--no-audit', '--prefer-offline', ...args], {
      cwd: place,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  install(tarball)
  const launcher = join(place, 'node_modules/kitlane/bin/kitlane.js')
  if (values['inject-fault']) await rm(join(place, 'node_modules/kitlane/dist/packages/lab-reader/src/parse/child.js'))
  check(
    (await stat(join(place, 'node_modules/.bin/kitlane'))).isFile(),
    'the package installs in an empty folder, with an empty home',
  )

  const documents = [[], ['--dashboard'], ['--operator']].map(
    (flags) =>
      spawnSync(process.execPath, [launcher, 'openapi', ...flags], { cwd: place, env, encoding: 'utf8' }).stdout,
  )
  check(
    documents.every((text) => text.includes('"openapi": "3.1.0"')) && new Set(documents).size === 3,
    'it prints its three OpenAPI documents',
  )

  const running = spawnKitlane(['start', '--demo', '--port', '0'], { HOME: home, LOG_LEVEL: 'warn' }, place, {
    launcher,
  })
  try {
    const [, url = ''] = await running.until(/^Kitlane is ready on (http:\S+)$/m)
    await running.until(/curl -H/)
    const demo = JSON.parse(await readFile(join(place, 'data/demo.json'), 'utf8'))
    check((await fetch(`${url}/health/ready`)).status === 200, 'it starts, with its own PostgreSQL, and is ready')
    const live = caller(url, demo.liveToken)
    check((await live.post('/create-order', anOrder())).status === 201, 'it takes an order')
    const listed = spawnSync(process.execPath, [launcher, 'orders', 'list', '--json'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, KITLANE_URL: url, KITLANE_TOKEN: demo.sandboxToken },
      encoding: 'utf8',
    })
    check(
      listed.status === 0 && JSON.parse(listed.stdout).length > 0,
      'its commands for developers read orders with a token',
    )
    const page = await (await load(`${url}/app/`)).text()
    const script = /src="(\/app\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    check(
      (await load(`${url}${script}`)).headers.get('content-type')?.includes('javascript') === true,
      'it serves the dashboard',
    )
    const sandbox = caller(url, demo.sandboxToken)
    const [demoOrder] = (await sandbox.get('/orders')).body.data
    const { customerID } = (await sandbox.get(`/kits/${demoOrder.kits[0].kitID}`)).body.kit
    const [report] = (await sandbox.get(`/customers/${customerID}`)).body.reports
    const headers = { authorization: `Token ${demo.sandboxToken}`, accept: 'application/pdf' }
    const pdf = await load(`${url}/api/v1/customers/${customerID}/reports/${report.id}`, headers)
    check((await pdf.text()).startsWith('%PDF'), 'it prints a report, in a thread of its own with its own fonts')
    const csv = Buffer.from('Test,Result,Unit\nGlucose,97,mg/dL\n').toString('base64')
    const upload = { type: 'file', userId: customerID, date: '2026-01-01', fileBlob: `data:text/csv;base64,${csv}` }
    const read = await sandbox.post('/customer/add-data', upload)
    check(read.status === 201 && read.body.reports.length === 1, 'it reads an uploaded file, in a process of its own')
  } finally {
    running.child.kill('SIGTERM')
  }
  check((await running.ended).code === 0, 'it stops')

  const old = `node-${process.platform}-${process.arch}`
  if (process.platform === 'linux') {
    install('--no-save', `${old}@${OLD_NODE}`)
    const outcome = spawnSync(join(place, 'node_modules', old, 'bin/node'), [launcher, 'start'], { encoding: 'utf8' })
    const sentence = outcome.stderr.trim()
    check(
      outcome.status === 1 &&
        sentence.startsWith(`Kitlane needs Node 24 and this is Node ${OLD_NODE}.`) &&
        !sentence.includes('\n'),
      `Node 16 is answered: ${sentence}`,
    )
  }
  if (existsSync('/usr/bin/systemd-analyze')) {
    say(checkUnits(root))
    say(await checkActivation(launcher, place, home))
  } else say('NOT SHOWN: systemd is missing, so the units were not checked')
  say(await checkChart(root, folder))
} catch (err) {
  broken = err
  console.error(err)
} finally {
  await rm(folder, { recursive: true, force: true })
}
const figures = [
  { name: 'promises broken', actual: broken ? 1 : 0, expected: 0 },
  { name: 'promises kept', actual: promisesKept },
]
report(figures)
if (values.record)
  record('packages', { promises: [], figures, mistake: values['inject-fault'] ? 'a file is missing' : undefined })
