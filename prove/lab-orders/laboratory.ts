import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { framed, framesUpTo } from '../../src/platform/mllp-frames.ts'
import { answerTo, type Heard } from '../../test/harness/laboratory.ts'
import type { Random } from '../random.ts'

/** How an order stands at the laboratory, by its placer number. */
export interface PlacedOrder {
  kitId: string
  /** Over which line it came. */
  line: Line
  /** The messages that placed it. More than one: it is doubled. */
  placedBy: string[]
  /** Refused, or canceled by a message. */
  isOver: 'refused' | 'canceled' | undefined
  dateOfBirth: string
  /** Whether it refused the last change, and a cancellation. */
  refusedChange: boolean
  refusedCancel: boolean
}

export const lines = ['mllp', 'hl7', 'fhir'] as const
export type Line = (typeof lines)[number]

/** An answer to a message that was only received, as it is posted later. */
export interface LateAnswer {
  controlId: string
  control: Control
  isAccepted: boolean
  text: string
}

export interface FaultyLaboratory {
  /** Of each line. */
  urls: Record<Line, string>
  orders: Map<string, PlacedOrder>
  /** What is still to be said of messages that were only received. */
  late: LateAnswer[]
  messages: number
  /** Messages that came again. */
  repeated: number
  /** How often each fault was injected. */
  faults: Record<string, number>
  /** Violations: these must stay 0. */
  changedTexts: number
  unknownOrders: number
  /** Calls this once it has taken its next message, which it does not answer. */
  holdNext(taken: () => void): void
  stop(): Promise<void>
}

// After so many faults a message is treated well, so that a run ends.
const MOST_FAULTS = 4
export const REASONS = { NW: 'Unknown test code', XO: 'Too late to change', CA: 'In process' } as const
type Control = keyof typeof REASONS

interface Message extends Heard {
  kitId: string
  line: Line
  dateOfBirth: string
}

interface Decision {
  text: string
  isAccepted: boolean
  /** It is only received, and decided later. */
  isLate: boolean
}

/** How it treats one delivery of a message. */
type Fate = 'dropped' | 'busy' | 'lost' | 'late' | 'doubled' | 'other first' | 'answered' | 'held'

/**
 * Takes orders over MLLP, as HL7 over HTTP and as FHIR, fails four times in ten, and knows a message again by its control ID. If
 * `isForgetful`, it does not: it does again what it is told again.
 */
export async function faultyLaboratory(random: Random, isForgetful: boolean): Promise<FaultyLaboratory> {
  const decisions = new Map<string, Decision>()
  const faultsOf = new Map<string, number>()
  const chance = (percent: number) => random.between(1, 100) <= percent
  let onTaken: (() => void) | undefined

  function fateOf({ controlId }: Message): Fate {
    const before = faultsOf.get(controlId) ?? 0
    const dice = random.between(1, 100)
    const fates: [number, Fate][] = [
      [8, 'dropped'],
      [14, 'busy'],
      [24, 'lost'],
      [30, 'late'],
      [36, 'doubled'],
      [42, 'other first'],
    ]
    const fate = before < MOST_FAULTS ? fates.find(([upTo]) => dice <= upTo)?.[1] : undefined
    if (fate) {
      faultsOf.set(controlId, before + 1)
      self.faults[fate] = (self.faults[fate] ?? 0) + 1
    }
    return fate ?? 'answered'
  }

  /** Whether it does what it is told, and does it. */
  function perform({ controlId, control, placer, kitId, line, dateOfBirth }: Message): boolean {
    const order = self.orders.get(placer)
    if (control === 'NW') {
      const isAccepted = order ? order.isOver !== 'refused' : !chance(6)
      if (order) order.placedBy.push(controlId)
      else {
        const isOver = isAccepted ? undefined : 'refused'
        const untouched = { refusedChange: false, refusedCancel: false }
        self.orders.set(placer, { kitId, line, placedBy: [controlId], isOver, dateOfBirth, ...untouched })
      }
      return isAccepted
    }
    if (!order) self.unknownOrders++
    // Taken back before it was known: nothing stands.
    if (!order) return control === 'CA'
    if (order.isOver) return false
    if (control === 'XO') {
      order.refusedChange = chance(10)
      if (!order.refusedChange) order.dateOfBirth = dateOfBirth
      return !order.refusedChange
    }
    order.refusedCancel ||= chance(15)
    if (!order.refusedCancel) order.isOver = 'canceled'
    return !order.refusedCancel
  }

  function decide(message: Message): Decision {
    const { controlId, text, line } = message
    const known = decisions.get(controlId)
    if (known) {
      self.repeated++
      if (known.text !== text) self.changedTexts++
      if (!isForgetful) return known
    }
    const decision = { text, isAccepted: perform(message), isLate: known?.isLate ?? (line !== 'fhir' && chance(15)) }
    if (decision.isLate && !known) {
      const how = decision.isAccepted ? { is: 'accepted' as const } : refusalOf(message)
      self.late.push({
        controlId,
        control: message.control as Control,
        isAccepted: decision.isAccepted,
        text: answerTo(message, how),
      })
    }
    decisions.set(controlId, decision)
    return decision
  }

  /** What becomes of a delivery, and what the message is answered, if it was taken. */
  function take(message: Message): { fate: Fate; decision?: Decision } {
    self.messages++
    const fate = fateOf(message)
    if (fate === 'dropped' || fate === 'busy') return { fate }
    const decision = decide(message)
    if (!onTaken) return { fate, decision }
    onTaken()
    onTaken = undefined
    self.faults.held = (self.faults.held ?? 0) + 1
    return { fate: 'held', decision }
  }

  const answerOf = (message: Message, { isAccepted, isLate }: Decision): string =>
    answerTo(message, isLate ? { is: 'received' } : isAccepted ? { is: 'accepted' } : refusalOf(message))

  async function overMllp(socket: Socket, text: string): Promise<void> {
    const message = hl7Of(text, 'mllp')
    const { fate, decision } = take(message)
    if (fate === 'held') return
    if (fate === 'busy') return void socket.write(framed(answerTo(message, { is: 'busy' })))
    if (fate === 'late') await delay(random.between(50, 800))
    if (!decision || fate === 'lost') return void socket.destroy()
    const answer = framed(answerOf(message, decision))
    // Of an earlier message, which the laboratory refused.
    const other = framed(answerTo({ ...message, controlId: `${message.placer}.0` }, refusalOf(message)))
    const frames = fate === 'doubled' ? [answer, answer] : fate === 'other first' ? [other, answer] : [answer]
    socket.write(Buffer.concat(frames))
  }

  interface HttpAnswer {
    status: number
    body: string
  }

  /** Undefined: the connection breaks. null: it is left open. */
  async function overHttp(text: string, isFhir: boolean): Promise<HttpAnswer | undefined | null> {
    const message = isFhir ? fhirOf(text, self.orders) : hl7Of(text, 'hl7')
    const { fate, decision } = take(message)
    if (fate === 'held') return null
    if (fate === 'busy') return { status: isFhir ? 503 : 200, body: isFhir ? '' : answerTo(message, { is: 'busy' }) }
    if (fate === 'late') await delay(random.between(50, 800))
    if (!decision || fate === 'lost') return undefined
    if (isFhir) return fhirAnswer(message, decision.isAccepted)
    if (fate === 'other first')
      return { status: 200, body: answerTo({ ...message, controlId: `${message.placer}.0` }, refusalOf(message)) }
    if (decision.isLate) return { status: 202, body: '' }
    const answer = answerOf(message, decision)
    return { status: 200, body: fate === 'doubled' ? answer + answer : answer }
  }

  const sockets = new Set<Socket>()
  const mllp = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const frames = framesUpTo(1_000_000)
    socket.on('data', (bytes) => {
      for (const one of frames.read(bytes)) void overMllp(socket, one.toString())
    })
  })
  const http = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isFhir = String(request.headers['content-type']).includes('fhir')
    const answer = await overHttp(Buffer.concat(chunks).toString(), isFhir)
    if (answer) response.writeHead(answer.status).end(answer.body)
    else if (answer === undefined) response.destroy()
  })
  const servers = [mllp, http]
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const [tcp = '', web = ''] = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`)
  const self: FaultyLaboratory = {
    urls: { mllp: `mllp://${tcp}`, hl7: `http://${web}/hl7`, fhir: `http://${web}/fhir` },
    orders: new Map(),
    late: [],
    messages: 0,
    repeated: 0,
    faults: {},
    changedTexts: 0,
    unknownOrders: 0,
    holdNext(taken) {
      onTaken = taken
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      http.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
  return self
}

const refusalOf = ({ control }: Message) => ({ is: 'refused' as const, reason: REASONS[control as Control] })

function hl7Of(text: string, line: Line): Message {
  const segments = text.split('\r').map((one) => one.split('|'))
  const of = (name: string) => segments.find(([first]) => first === name) ?? []
  const born = of('PID')[7] ?? ''
  return {
    controlId: of('MSH')[9] ?? '',
    control: of('ORC')[1] ?? '',
    placer: of('ORC')[2] ?? '',
    kitId: of('SPM')[2] ?? '',
    dateOfBirth: `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`,
    line,
    text,
  }
}

/** A transaction has no control ID: it is known again by its number and its time. */
function fhirOf(text: string, orders: ReadonlyMap<string, PlacedOrder>): Message {
  const { timestamp, entry } = JSON.parse(text)
  const of = (kind: string) =>
    entry.find(({ resource }: { resource: { resourceType: string } }) => resource.resourceType === kind).resource
  const request = of('ServiceRequest')
  const placer: string = request.identifier[0].value
  const controlId = `${placer}@${timestamp}`
  const known = orders.get(placer)
  const isFirst = !known || known.placedBy.includes(controlId)
  return {
    controlId,
    control: request.status === 'revoked' ? 'CA' : isFirst ? 'NW' : 'XO',
    placer,
    kitId: of('Specimen').identifier[0].value,
    dateOfBirth: of('Patient').birthDate,
    line: 'fhir',
    text,
  }
}

function fhirAnswer({ placer, control, text }: Message, isAccepted: boolean): { status: number; body: string } {
  if (!isAccepted) {
    const issue = [{ severity: 'error', code: 'processing', diagnostics: REASONS[control as Control] }]
    return { status: 422, body: JSON.stringify({ resourceType: 'OperationOutcome', issue }) }
  }
  const entry = JSON.parse(text).entry.map(
    ({ resource }: { resource: { resourceType: string; identifier: unknown[] } }) => ({
      response: { status: '200 OK' },
      ...(resource.resourceType === 'ServiceRequest' && {
        resource: {
          ...resource,
          identifier: [...resource.identifier, { system: 'urn:of-the-laboratory', value: `F${placer}` }],
        },
      }),
    }),
  )
  return { status: 200, body: JSON.stringify({ resourceType: 'Bundle', type: 'transaction-response', entry }) }
}
