import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperatorScope } from '../../src/domain/scopes.ts'
import { type MllpOptions, serveMllp } from '../../src/extensions/mllp/serve.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { PortListener } from '../../src/platform/http/tcp-port.ts'
import { createLogger } from '../../src/platform/log.ts'
import { framesUpTo } from '../../src/platform/mllp-frames.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { controlId } from '../harness/disorder.ts'
import { freePort } from '../harness/free-port.ts'
import { operatorToken } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { root } from '../harness/sources.ts'
import { ON_A_BUSY_MACHINE_MS, sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let service: Service
let port: number
const log = createLogger({ level: 'silent' })

const startWith = (mllpPort: number, maxLoopDelayMs = ON_A_BUSY_MACHINE_MS): Promise<Service> =>
  startService({
    urls: world.urls,
    settings: {
      ...world.settings,
      role: 'api',
      mllp: { port: mllpPort, host: '127.0.0.1', tlsCertificate: undefined, tlsKey: undefined },
    },
    log,
    clock: systemClock,
    maxLoopDelayMs,
  })

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  port = await freePort()
  service = await startWith(port)
})
afterAll(async () => {
  await service.stop({ atOnce: true })
  await world.stop()
})

const tokenOf = (scopes: OperatorScope[]): Promise<string> => operatorToken(world, scopes)

async function aKit(): Promise<string> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const person = {
    firstName: 'Bo',
    lastName: 'Tester',
    email: `${kitID}@example.test`,
    dateOfBirth: '1980-02-29',
    sex: 'F',
  }
  expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
  return kitID
}

interface Message {
  kitID?: string
  token?: string
  id?: string
  type?: string
  modes?: string
}

const oru = ({ kitID = 'X', token = '', id = controlId(), type = 'ORU^R01', modes = '' }: Message): string =>
  [
    `MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000|${token}|${type}|${id}|P|2.5.1${modes}`,
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1|${kitID}|ACC|24331-1^Lipid panel^LN|||20260401083000|||||||||||||||20260402110000|||F`,
    'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
    '',
  ].join('\r')

const framedText = (text: string) => `\x0b${text}\x1c\r`

/** A sender that collects the acknowledgements it gets. */
function talk(socket: Socket) {
  const frames = framesUpTo(1_000_000)
  const answers: string[] = []
  socket.on('error', () => {})
  socket.on('data', (bytes) => answers.push(...frames.read(bytes).map(String)))
  return {
    answers,
    socket,
    send: (text: string) => socket.write(text),
    // `once` of node:events would fail where the other side resets the connection.
    closed: new Promise((resolve) => socket.once('close', resolve)),
    /** MSA-1 and MSA-2 of the answers, when there are so many. */
    async acknowledged(count: number): Promise<string[]> {
      await expect.poll(() => answers.length).toBe(count)
      return answers.map((one) => one.split('\r')[1]?.split('|').slice(1, 3).join(' ') ?? '')
    },
  }
}

const reportsOf = async (kitID: string) => (await clinic.live.get(`/reports?kitID=${kitID}`)).body.data

describe('HL7 over MLLP', () => {
  it('is stored and acknowledged as over HTTP, one message after the other, and the token is nowhere in it', async () => {
    const token = await tokenOf(['lab'])
    const [first, second] = [await aKit(), await aKit()]
    const sender = talk(connect(port, '127.0.0.1'))
    const sent = [
      oru({ kitID: first, token, id: 'one' }),
      oru({ kitID: second, token, id: 'two', modes: '|||AL|NE' }),
      oru({ token, id: 'none', modes: '|||NE|NE' }),
      oru({ token, id: 'waits' }),
      oru({ token, id: 'other', type: 'ADT^A08' }),
      'no message',
    ]
    sender.send(sent.map(framedText).join(''))
    expect(await sender.acknowledged(5)).toEqual(['AA one', 'CA two', 'AA waits', 'AR other', 'AR '])
    expect(sender.answers[0]).toMatch(/^MSH\|\^~\\&\|KITLANE\|Y\|LAB\|X\|\d{14}\+0000\|\|ACK\^R01\^ACK\|/)
    for (const kitID of [first, second]) expect(await reportsOf(kitID)).toMatchObject([{ kitID, version: 1 }])
    expect(sender.answers.join()).not.toContain(token)
    sender.socket.end()
    await sender.closed
  })

  it('is refused without a token, with one that is none, and with one that lacks the scope', async () => {
    const kitID = await aKit()
    const sender = talk(connect(port, '127.0.0.1'))
    for (const token of ['', 'kl_oper_none', await tokenOf(['fulfilment'])])
      sender.send(framedText(oru({ kitID, token, id: 'refused' })))
    expect(await sender.acknowledged(3)).toEqual(Array(3).fill('AR refused'))
    expect(sender.answers[0]).toMatch(/^MSH\|\^~\\&\|KITLANE\|Y\|LAB\|X\|.*MSH-8 holds no token/s)
    expect(sender.answers[1]).toContain('The token in MSH-8 is unknown, revoked or expired')
    expect(sender.answers.join()).not.toContain('Authorization')
    expect(await reportsOf(kitID)).toEqual([])
    sender.socket.destroy()
  })

  it('that is refused unread is answered as its sender asks', async () => {
    const sender = talk(connect(port, '127.0.0.1'))
    for (const [id, modes] of Object.entries({ silent: '|||NE|NE', accept: '|||AL|NE', '': '|||NE|AL', last: '' }))
      sender.send(framedText(oru({ token: 'kl_oper_none', id, modes })))
    expect(await sender.acknowledged(3)).toEqual(['CR accept', 'AR ', 'AR last'])
    sender.socket.destroy()
  })

  it('that is too long with its token is refused, and nothing of it is stored', async () => {
    const [token, kitID] = [await tokenOf(['lab']), await aKit()]
    const sender = talk(connect(port, '127.0.0.1'))
    for (const [id, bytes] of [
      ['long', 2 * 1024 * 1024 + 1],
      ['longer', 5 * 1024 * 1024],
    ] as const) {
      const message = oru({ kitID, token, id })
      sender.send(framedText(`${message}NTE|1|L|${'x'.repeat(bytes - message.length - 'NTE|1|L|'.length)}`))
    }
    expect(await sender.acknowledged(2)).toEqual(['AE long', 'AE longer'])
    expect(await reportsOf(kitID)).toEqual([])
    sender.socket.destroy()
  })

  it('that nobody acknowledged since the connection broke does nothing twice when it is sent again', async () => {
    const [token, kitID] = [await tokenOf(['lab']), await aKit()]
    const message = framedText(oru({ kitID, token }))
    const broken = talk(connect(port, '127.0.0.1'))
    broken.socket.end(message)
    await expect.poll(async () => (await reportsOf(kitID)).length).toBe(1)
    const again = talk(connect(port, '127.0.0.1'))
    again.send(message + message)
    expect((await again.acknowledged(2)).map((one) => one.slice(0, 2))).toEqual(['AA', 'AA'])
    expect(await reportsOf(kitID)).toMatchObject([{ version: 1 }])
    // A sender that waits for less than an answer takes sends while the first one is under way.
    const other = await aKit()
    const [impatient, later] = [talk(connect(port, '127.0.0.1')), talk(connect(port, '127.0.0.1'))]
    for (const { send } of [impatient, later]) send(framedText(oru({ kitID: other, token, id: 'both' })))
    for (const { acknowledged } of [impatient, later]) expect(await acknowledged(1)).toEqual(['AA both'])
    expect(await reportsOf(other)).toMatchObject([{ version: 1 }])
    for (const { socket } of [again, impatient, later]) socket.destroy()
  })

  it('is answered to many senders at once, each its own; one that is refused as too many sends again', async () => {
    const token = await tokenOf(['lab'])
    const one = async (_: unknown, index: number) => {
      const { send, acknowledged, socket } = talk(connect(port, '127.0.0.1'))
      for (let sent = 1; ; sent++) {
        send(framedText(oru({ token, id: `from-${index}` })))
        const [last = ''] = (await acknowledged(sent)).slice(-1)
        expect(['AA', 'AR'].map((code) => `${code} from-${index}`)).toContain(last)
        if (last.startsWith('AA')) return socket.destroy()
      }
    }
    await Promise.all(Array.from({ length: 20 }, one))
  })
})

it('a service that is too busy says so in HL7, over HTTP and over MLLP', async () => {
  const busyPort = await freePort()
  const busy = await startWith(busyPort, -1)
  try {
    const message = oru({ token: await tokenOf(['lab']), id: 'busy' })
    const hl7 = 'application/hl7-v2'
    const response = await fetch(`${busy.url}/operator/v1/lab/results`, {
      method: 'POST',
      headers: { accept: hl7, 'content-type': hl7 },
      body: message,
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.text()).toMatch(/^MSH.*\rMSA\|AR\|/)
    const sender = talk(connect(busyPort, '127.0.0.1'))
    sender.send(framedText(message))
    expect(await sender.acknowledged(1)).toEqual(['AR busy'])
    sender.socket.destroy()
  } finally {
    await busy.stop({ atOnce: true })
  }
})

describe('a port for MLLP', () => {
  const tls = {
    tlsCertificate: readFileSync(join(root, 'test/samples/tls/test-only.crt'), 'utf8'),
    tlsKey: readFileSync(join(root, 'test/samples/tls/test-only.key'), 'utf8'),
  }
  const plain = { port: 0, host: '127.0.0.1', tlsCertificate: undefined, tlsKey: undefined }
  const answer = { status: 200, payload: '{}' }
  const bare = 'MSH|^~\\&|A||||||ORU^R01|1'
  const now = () => new Date()
  const open = async (given: Partial<MllpOptions>, use: (listener: PortListener) => Promise<void>) => {
    const listener = await serveMllp({ settings: plain, log, now, perform: async () => answer, ...given })
    try {
      await use(listener)
    } finally {
      await listener.stop()
    }
  }

  it('without TLS is refused on an address that is not of this machine or of a private network', async () => {
    for (const host of ['0.0.0.0', '::', '198.51.100.7', 'lab.example.test'])
      await expect(open({ settings: { ...plain, host } }, async () => {})).rejects.toThrow('MLLP_TLS_CERTIFICATE')
    await expect(open({ settings: { ...plain, ...tls, tlsKey: undefined } }, async () => {})).rejects.toThrow(
      'together',
    )
  })

  it('that cannot be opened says which setting to change', async () => {
    const broken = { ...tls, tlsCertificate: '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----' }
    await expect(open({ settings: { ...plain, ...broken } }, async () => {})).rejects.toThrow('its own key, in PEM')
    await open({}, async ({ port }) => {
      await expect(open({ settings: { ...plain, port } }, async () => {})).rejects.toThrow('MLLP_PORT is in use')
    })
    await expect(open({ settings: { ...plain, host: '10.255.255.254' } }, async () => {})).rejects.toThrow('MLLP_HOST')
  })

  it('speaks TLS where it has a certificate, on any address, and nothing else then', async () => {
    await open({ settings: { ...plain, ...tls, host: '0.0.0.0' } }, async ({ port }) => {
      const secure = talk(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }))
      secure.send(framedText(bare))
      expect(await secure.acknowledged(1)).toEqual(['AA 1'])
      const plainly = talk(connect(port, '127.0.0.1'))
      plainly.send(framedText(bare))
      await plainly.closed
      expect(plainly.answers).toEqual([])
      secure.socket.destroy()
    })
  })

  it('hands the token to the service as that of HTTP, and the message without it', async () => {
    const seen: unknown[] = []
    const perform: MllpOptions['perform'] = async ({ headers, body, remoteAddress }) => {
      seen.push([headers.authorization, String(body), remoteAddress])
      return answer
    }
    await open({ perform }, async ({ port }) => {
      const sender = talk(connect(port, '127.0.0.1'))
      sender.send(framedText('MSH|^~\\&|A|B|C|D|1|secret|ORU^R01\r'))
      await sender.acknowledged(1)
      expect(seen).toEqual([['Token secret', 'MSH|^~\\&|A|B|C|D|1||ORU^R01\r', '127.0.0.1']])
      sender.socket.destroy()
    })
  })

  it('hangs up on a message that does not end, and on a caller whose token never counts', async () => {
    const perform = async () => ({ status: 401, payload: answer.payload })
    await open({ messageMs: 50 }, async ({ port }) => {
      const slow = talk(connect(port, '127.0.0.1'))
      slow.send('\x0bMSH|^~\\&|A')
      await slow.closed
      expect(slow.answers).toEqual([])
    })
    await open({ strangerMs: 50, perform }, async ({ port }) => {
      const silent = talk(connect(port, '127.0.0.1'))
      silent.send('GET / HTTP/1.1\r\n\r\n')
      await silent.closed
      const refused = talk(connect(port, '127.0.0.1'))
      refused.send(framedText('MSH|^~\\&|A'))
      await refused.closed
      expect(refused.answers).toHaveLength(1)
    })
  })

  it('waits with a message while the service is busy, and refuses it only after some tries', async () => {
    const refused = { status: 503, payload: JSON.stringify({ code: 'OVERLOADED', message: 'The service is busy' }) }
    for (const [busyFor, expected, performs] of [
      [2, 'AA 1', 3],
      [9, 'AR 1', 4],
    ] as const) {
      let performed = 0
      const perform = async () => (++performed > busyFor ? answer : refused)
      await open({ perform, againMs: 1 }, async ({ port }) => {
        const sender = talk(connect(port, '127.0.0.1'))
        sender.send(framedText(bare))
        expect(await sender.acknowledged(1)).toEqual([expected])
        sender.socket.destroy()
      })
      expect(performed).toBe(performs)
    }
  })

  it('refuses a message that is too long when it has ended, and reads the next one', async () => {
    const sizes: (number | undefined)[] = []
    const perform: MllpOptions['perform'] = async ({ body }) => {
      sizes.push(body?.length)
      return answer
    }
    await open({ perform }, async ({ port }) => {
      const sender = talk(connect(port, '127.0.0.1'))
      sender.send(`${framedText('x'.repeat(5 * 1024 * 1024))}${framedText('MSH|')}`)
      await sender.acknowledged(2)
      expect(sizes).toEqual([2 * 1024 * 1024 + 1, 4])
      sender.socket.destroy()
    })
  })

  it('that closes answers the message under way, and drops what has not arrived', async () => {
    let finish = () => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    let performed = 0
    const listener = await serveMllp({
      settings: plain,
      log,
      now,
      perform: async () => {
        performed++
        await gate
        return answer
      },
    })
    const [busy, idle] = [talk(connect(listener.port, '127.0.0.1')), talk(connect(listener.port, '127.0.0.1'))]
    await once(idle.socket, 'connect')
    idle.send('\x0bMSH|half')
    busy.send(framedText('MSH|one') + framedText('MSH|two'))
    await expect.poll(() => performed).toBe(1)
    const stopped = listener.stop()
    await idle.closed
    finish()
    await stopped
    await busy.closed
    expect([busy.answers.length, idle.answers.length, performed]).toEqual([1, 0, 1])
  })
})
