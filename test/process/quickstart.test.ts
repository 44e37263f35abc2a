import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Webhook } from '../../client/src/index.ts'
import { onPath } from '../harness/client-package.ts'
import { blocksOf, type CodeBlock } from '../harness/code-blocks.ts'
import { freePort } from '../harness/free-port.ts'
import { callKitlane } from '../harness/in-process.ts'
import { spawnKitlane } from '../harness/kitlane.ts'
import { root } from '../harness/sources.ts'
import { waitUntil } from '../harness/wait.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const FOLDER = 'docs/quickstart'
const pages = (await readdir(join(root, FOLDER))).map((name) => `${FOLDER}/${name}`)
const [bash] = onPath('bash')
const hasTools = bash && onPath('curl').length > 0 && onPath('jq').length > 0

let world: World
let folder: string
beforeAll(async () => {
  world = await sharedWorld()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-quickstart-'))
  // A refusal ends a script, as it would end a reader's patience.
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nshow-error\n')
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const isRun = ({ language, note, code }: CodeBlock) =>
  language === 'sh' && note !== 'terminal' && !code.startsWith('export KITLANE_URL=')

/** A page as one script, which ends at the first command that fails; a block of what is refused has to be. */
const scriptOf = (blocks: CodeBlock[]) =>
  blocks.map(({ note, code }, i) =>
    note === 'refused' ? `if { ${code.trim()}\n}; then echo "block ${i} was not refused" >&2; exit 1; fi\n` : code,
  )

async function runPage(page: string, clinic: TestBusiness): Promise<string> {
  const home = join(folder, `${page.replaceAll('/', '-')}-${clinic.id}`)
  await mkdir(home, { recursive: true })
  const child = spawn(
    bash ?? '',
    ['--norc', '-eu', '-o', 'pipefail', '-c', scriptOf((await blocksOf(page)).filter(isRun)).join('\n')],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CURL_HOME: folder,
        KITLANE_URL: world.service.url,
        KITLANE_TOKEN: clinic.sandboxToken,
      },
    },
  )
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ code, stderr: code === 0 ? '' : stderr, stdout: code === 0 ? '' : stdout }, page).toEqual({
    code: 0,
    stderr: '',
    stdout: '',
  })
  return stdout
}

describe('the quickstart', () => {
  it.skipIf(!hasTools).for(pages)(
    'runs as %s says, also again and after a reset, each block of the shell (skipped without bash, curl or jq)',
    async (page) => {
      const clinic = await world.business()
      // A reader tries it again: at once, and after a reset, which their keys must not remember.
      for (const isAfterReset of [false, false, true]) {
        if (isAfterReset) expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
        const said = await runPage(page, clinic)
        expect(said).not.toMatch(/^null$/m)
        expect(said.length).toBeGreaterThan(20)
      }
    },
  )

  it('has no code that no test runs', async () => {
    const blocks = (await Promise.all(pages.map(blocksOf))).flat()
    expect(blocks.length).toBeGreaterThan(25)
    const known = /^(sh( refused| terminal)?|ts|\w+ file=receiver\.\w+)$/
    expect(
      blocks.map(({ language, note }) => `${language} ${note}`.trim()).filter((kind) => !known.test(kind)),
    ).toEqual([])
  })
})

it('kitlane check-compat says of the requests of docs/moving.md what the page says', async () => {
  const [requests, command, answer] = await blocksOf('docs/moving.md')
  await writeFile(join(folder, requests?.note.replace('file=', '') ?? ''), requests?.code ?? '')
  const outcome = await callKitlane(command?.code.trim().split(' ').slice(2) ?? [], {}, folder)
  expect(outcome).toMatchObject({ code: 1, stdout: answer?.code, stderr: '' })
})

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const fileOf = (name: string) => join(folder, name)
const receiverOf = async (name: string) => {
  const block = (await blocksOf(`${FOLDER}/webhooks.md`)).find(({ note }) => note === `file=${name}`)
  await writeFile(fileOf(name), block?.code ?? '')
}

interface Started {
  child: ChildProcess
  url: string
  said(): string
}

async function startReceiver(program: string, args: string[], secret: string, port: number): Promise<Started> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: folder, PORT: String(port), WEBHOOK_SECRET: secret },
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  const url = `http://127.0.0.1:${port}/hook`
  await waitUntil(() =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    ),
  )
  return { child, url, said: () => said }
}

async function stopped({ child }: Started): Promise<void> {
  const closed = once(child, 'close')
  // `go run` starts a program of its own.
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await closed
}

const receivers: [title: string, program: string | undefined, name: string, args: (port: number) => string[]][] = [
  ['Node.js', process.execPath, 'receiver.mjs', () => [fileOf('receiver.mjs')]],
  ['Python', onPath('python3')[0], 'receiver.py', () => [fileOf('receiver.py')]],
  ['Go', onPath('go')[0], 'receiver.go', () => ['run', fileOf('receiver.go')]],
  ['PHP', onPath('php')[0], 'receiver.php', (port) => ['-S', `127.0.0.1:${port}`, fileOf('receiver.php')]],
]

describe.for(receivers)('the receiver in %s', ([title, program, name, args]) => {
  it.skipIf(!program)(`takes a signed webhook and refuses others (skipped where there is no ${title})`, async () => {
    await receiverOf(name)
    const port = await freePort()
    const receiver = await startReceiver(program ?? '', args(port), SECRET, port)
    try {
      const body = JSON.stringify({ type: 'webhook.test', data: { message: 'Grüße' } })
      const post = async (headers: Record<string, string>, sent = body) =>
        (await fetch(receiver.url, { method: 'POST', body: sent, headers })).status
      const signed = await new Webhook(SECRET).sign(body)
      const stranger = await new Webhook('whsec_c3RyYW5nZXI=').sign(body)
      const both = { ...signed, 'webhook-signature': `${stranger['webhook-signature']} ${signed['webhook-signature']}` }
      const old = await new Webhook(SECRET).sign(body, { at: new Date(Date.now() - 3600_000) })
      expect([await post(signed), await post(both)]).toEqual([204, 204])
      expect([await post(stranger), await post(old), await post({}), await post(signed, `${body} `)]).toEqual([
        400, 400, 400, 400,
      ])
    } finally {
      await stopped(receiver)
    }
  })
})

it('the receiver hears of what kitlane trigger makes, by kitlane listen', async () => {
  const clinic = await world.business()
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    KITLANE_URL: world.service.url,
    KITLANE_TOKEN: clinic.sandboxToken,
  }
  const commands = (await blocksOf(`${FOLDER}/webhooks.md`)).filter(({ note }) => note === 'terminal')
  const [listen = [], trigger = []] = commands.map(({ code }) => code.trim().split(' ').slice(2))
  const port = await freePort()
  const listening = spawnKitlane(
    listen.map((arg) => arg.replace('3000', String(port))),
    env,
    folder,
    { staysOpen: true },
  )
  try {
    const [, secret = ''] = await listening.until(/^They are signed with this secret: (whsec_\S+)$/m)
    await receiverOf('receiver.mjs')
    const receiver = await startReceiver(process.execPath, [fileOf('receiver.mjs')], secret, port)
    try {
      const triggered = await callKitlane(trigger, env, folder)
      expect(triggered.stderr).toBe('')
      await expect.poll(receiver.said).toMatch(/^evt_\S+ report\.published$/m)
    } finally {
      await stopped(receiver)
    }
  } finally {
    listening.child.kill('SIGINT')
    await listening.ended
  }
})
