import type { Finding } from '../../src/domain/finding.ts'
import { caller } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'
import type { Figure } from '../record.ts'
import type { Docker } from './docker.ts'
import { interrupt } from './interrupt.ts'

/** What compose started. */
export interface Site {
  docker: Docker
  /** Runs docker-compose for the installation. */
  compose(...args: string[]): string
  /** The same file as another project, with volumes of its own. */
  drill(...args: string[]): string
  /** The name of a container, by its service and number: `api_1`. */
  container(name: string): string
  say(text: string): void
}

export const URLS = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081']
const KITLANE = ['node', 'bin/kitlane.js']

/** Everything that docs/install-container.md and docs/install.md do after the start. */
export async function use(site: Site): Promise<Figure[]> {
  const { compose, docker, say } = site
  const kitlane = (...args: string[]) => compose('exec', '-T', 'worker', ...KITLANE, ...args)
  const made = JSON.parse(kitlane('user', 'create', '--email', 'ana@example.com', '--role', 'operator-admin', '--json'))
  const signIn = await caller(URLS[0] ?? '').post('/session', { email: 'ana@example.com', password: made.password })
  say(`the first operator signs in: ${signIn.status}`)
  const business = JSON.parse(kitlane('business', 'create', '--name', 'My company', '--credits', '20000', '--json'))
  kitlane('business', 'set', '--business', 'My company', 'uploadsEnabled=true', 'rateLimitPerMinute=100000')
  const first = caller(URLS[0] ?? '', business.liveToken)
  const order = await first.post('/create-order', anOrder())
  say(`an order: ${order.status}`)
  const upload = await uploaded(first)
  const named = ['--business', 'My company', '--mode', 'live', '--name', 'reviews', '--scopes', 'reports:review']
  const { token } = JSON.parse(kitlane('token', 'create', ...named, '--json'))
  const reads = await Promise.all(URLS.map((url) => caller(url, token).get(`/uploads/${upload.docId}/file`)))
  const whole = reads.filter(({ status, text }) => status === 200 && text === upload.text).length
  const scrapes = ['api_1', 'api_2', 'worker_1'].filter((name) => hasMetrics(docker, site.container(name))).length
  say(`a file is uploaded, and read at ${whole} of 2 nodes; /metrics of ${scrapes} processes`)
  const backup = JSON.parse(kitlane('backup', '/backups/', '--json'))
  const restored = restore(site, backup.location)
  say(`the backup is restored into an empty server: ${restored.right} of ${restored.all} right`)
  const doctor = docker.maybe('exec', site.container('worker_1'), ...KITLANE, 'doctor', '--json')
  const { findings }: { findings: Finding[] } = JSON.parse(doctor.stdout)
  for (const { about, status, found } of findings) if (status !== 'ok') say(`doctor: ${status} ${about}: ${found}`)
  return [
    { name: 'status of the sign-in of the first operator', actual: signIn.status, expected: 200 },
    { name: 'status of an order', actual: order.status, expected: 201 },
    { name: 'nodes that read an uploaded file', actual: whole, expected: 2 },
    { name: 'processes whose /metrics is read', actual: scrapes, expected: 3 },
    { name: 'proofs of the restored backup', actual: restored.all, expected: 7, atLeast: true },
    { name: 'proofs of the restored backup that failed', actual: restored.all - restored.right, expected: 0 },
    {
      name: 'findings of kitlane doctor that failed',
      actual: findings.filter(({ status }) => status === 'FAIL').length,
      expected: 0,
    },
    ...(await interrupt(site, business.liveToken)),
  ]
}

type Caller = ReturnType<typeof caller>

async function uploaded(node: Caller): Promise<{ docId: string; text: string }> {
  const person = { email: 'w@example.test', name: 'Other Person', dateOfBirth: '1980-02-29' }
  const userId = (await node.post('/customer', person)).body.id
  // Of somebody else: it waits for a person, who reads the file.
  const text = [
    'MSH|^~\\&|LAB|L|K|K|20260115||ORU^R01|1|P|2.5',
    'PID|1||X||Sandpiper^Wanda||19410101|F',
    'OBR|1|||PANEL|||20260115',
    'OBX|1|NM|2345-7^Glucose^LN||90|mg/dL|70-99|N|||F',
  ].join('\r')
  const fileBlob = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
  const { status, body } = await node.post('/customer/add-data', { type: 'file', userId, date: '2026-01-15', fileBlob })
  if (status !== 201) throw new Error(`the upload was answered ${status}: ${JSON.stringify(body)}`)
  return { docId: body.docId, text }
}

/** As the page says: from inside of the network, on the port of the metrics. */
function hasMetrics(docker: Docker, container: string): boolean {
  const script = 'fetch("http://127.0.0.1:9464/metrics").then((a) => a.text()).then((text) => console.log(text))'
  return /^kitlane_\w+/m.test(docker.must('exec', container, 'node', '-e', script))
}

/** Into the database of another project: a drill as the page has it. */
function restore({ drill }: Site, location: string): { all: number; right: number } {
  const from = location.replace(/^\/backups\//, '/from/')
  const printed = drill(
    'run',
    '--rm',
    '-T',
    '--volume',
    'kitlane_backups:/from:ro',
    'restore',
    'restore',
    from,
    '--json',
  )
  const { proofs }: { proofs: { ok: boolean }[] } = JSON.parse(printed.slice(printed.indexOf('{')))
  drill('down', '--volumes')
  return { all: proofs.length, right: proofs.filter(({ ok }) => ok).length }
}
