import type { IncomingMessage } from 'node:http'
import { type Act, type Answer, type Fault, faultyServer, type Json } from './faulty-server.ts'
import { PDF, PDF_A6, PNG, problemOfEasyPost, problemOfShippo, type Sold, services } from './label-checks.ts'

export interface LabelStandIn {
  url: string
  easypostKey: string
  shippoKey: string
  /** What was sold, in order: each costs money. */
  sold: Sold[]
  /** What was offered, as it was asked for. */
  offered: { provider: string; body: Record<string, unknown> }[]
  /** What was asked wrongly. */
  mistakes: string[]
  /** The faults of the next purchases, offers, refunds or look-ups. */
  faults: Record<'offer' | 'buy' | 'refund' | 'find' | 'file', Fault[]>
  /** What a carrier says to a refund. */
  refunds: Sold['refund']
  isTest: boolean
  /** What it offers, and what it charges and sends instead of that. */
  services: typeof services
  charges?: string | undefined
  file?: Buffer | undefined
  /** It does not know what it has sold: what it is asked for is never there. */
  forgets?: boolean
  /** Without any rate: what the service says. */
  noRates?: string
  /** What it does after it went away is done. */
  settled(): Promise<unknown>
  stop(): Promise<void>
}

const files: Readonly<Record<string, Buffer>> = { PNG, PDF_A6 }

/** Serves what Kitlane calls of EasyPost and Shippo, as their documentation describes it, on loopback. */
export async function labelStandIn(): Promise<LabelStandIn> {
  const state: Omit<LabelStandIn, 'url' | 'settled' | 'stop'> = {
    easypostKey: 'EZAKstandinstandin',
    shippoKey: 'shippo_live_standin',
    sold: [],
    offered: [],
    mistakes: [],
    faults: { offer: [], buy: [], refund: [], find: [], file: [] },
    refunds: 'submitted',
    isTest: false,
    services,
  }
  const shipments = new Map<string, Json>()
  let serial = 0
  let url = ''
  const id = (prefix: string) => `${prefix}_${String(++serial).padStart(12, '0')}`
  const wrong = (what: string) => {
    state.mistakes.push(what)
    return what
  }

  function offer(provider: string, given: Json): { status: number; body: Json } {
    const problem = provider === 'easypost' ? problemOfEasyPost(given) : problemOfShippo(given)
    if (problem) {
      wrong(problem)
      return {
        status: provider === 'easypost' ? 422 : 400,
        body: { error: { code: 'PARAMETER.INVALID', message: problem } },
      }
    }
    state.offered.push({ provider, body: given })
    const shipment: Json = { provider, given, id: id('shp'), rates: {} }
    const rates = state.noRates === undefined ? state.services : []
    for (const one of rates) shipment.rates[id('rate')] = one
    shipments.set(shipment.id, shipment)
    return { status: 201, body: shownShipment(shipment) }
  }

  /** As EasyPost says it; Shippo calls it an amount. */
  function chargedOf(shipment: Json, { rate, charged }: Sold): { rate: string; currency: string } {
    const { price, currency = 'USD' } = shipment.rates[rate]
    return { rate: charged ?? price, currency }
  }

  const soldOf = (shipment: Json) =>
    state.forgets ? undefined : state.sold.find((one) => one.shipment === shipment.id)

  function shownShipment(shipment: Json): Json {
    const rates = Object.entries(shipment.rates as Record<string, (typeof services)[number]>)
    const sold = soldOf(shipment)
    if (shipment.provider === 'shippo')
      return {
        object_id: shipment.id,
        test: state.isTest,
        metadata: shipment.given.metadata,
        messages: state.noRates === undefined ? [] : [{ source: 'USPS', code: '', text: state.noRates }],
        rates: rates.map(([ref, { carrier, token, price, currency = 'USD' }]) => ({
          object_id: ref,
          provider: carrier,
          servicelevel: { token, name: token },
          amount: price,
          currency,
          test: state.isTest,
        })),
      }
    return {
      id: shipment.id,
      mode: state.isTest ? 'test' : 'production',
      reference: shipment.given.reference,
      messages: [],
      rates: rates.map(([ref, { carrier, service, price, currency = 'USD' }]) => ({
        id: ref,
        carrier,
        service,
        rate: price,
        currency,
      })),
      selected_rate: sold ? { id: sold.rate, ...chargedOf(shipment, sold) } : null,
      tracking_code: sold?.number ?? null,
      refund_status: sold && sold.refund !== 'none' ? sold.refund : null,
      postage_label: sold ? { label_url: `${url}/files/${sold.id}` } : null,
    }
  }

  function sell(shipment: Json, rate: string, fileType: string, reference: string): Sold {
    const carrier = shipment.rates[rate].carrier
    const sold: Sold = {
      id: id('label'),
      shipment: shipment.id,
      rate,
      number: `9400${String(Date.now())}${String(++serial).padStart(7, '0')}`.slice(0, 22),
      carrier,
      isReturn: shipment.given.is_return === true || shipment.given.extra?.is_return === true,
      reference,
      fileType,
      ...(state.charges && { charged: state.charges }),
      refund: 'none',
    }
    state.sold.push(sold)
    return sold
  }

  const amountOf = (sold: Sold) => {
    const { rate: amount, currency } = chargedOf(shipments.get(sold.shipment) ?? {}, sold)
    return { amount, currency }
  }
  const transaction = (sold: Sold): Json => ({
    object_id: sold.id,
    status: {
      none: 'SUCCESS',
      submitted: 'REFUNDPENDING',
      refunded: 'REFUNDED',
      rejected: 'REFUNDREJECTED',
      not_applicable: 'SUCCESS',
    }[sold.refund],
    rate: { object_id: sold.rate, ...amountOf(sold) },
    metadata: sold.reference,
    tracking_number: sold.number,
    label_url: `${url}/files/${sold.id}?signed=1`,
    messages: [],
  })

  type Kind = keyof LabelStandIn['faults']
  type Served = Act<Kind>
  const none = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'none' } } }

  function serveEasyPost(method: string, path: string, body: Json): Served | undefined {
    if (method === 'POST' && path === '/v2/shipments')
      return { kind: 'offer', act: () => offer('easypost', body.shipment ?? {}) }
    const [, ref = '', verb] = /^\/v2\/shipments\/(\w+)(?:\/(buy|refund))?$/.exec(path) ?? []
    const shipment = shipments.get(ref)
    if (!shipment) return { kind: 'find', act: () => none }
    if (method === 'GET' && !verb) return { kind: 'find', act: () => ({ status: 200, body: shownShipment(shipment) }) }
    if (verb === 'buy')
      return {
        kind: 'buy',
        act() {
          if (!shipment.rates[body.rate?.id])
            return { status: 422, body: { error: { code: wrong('RATE.NOT.FOUND'), message: '' } } }
          if (soldOf(shipment))
            return { status: 422, body: { error: { code: 'SHIPMENT.POSTAGE.EXISTS', message: 'sold' } } }
          sell(shipment, body.rate.id, shipment.given.options.label_format, shipment.given.reference)
          return { status: 200, body: shownShipment(shipment) }
        },
      }
    return {
      kind: 'refund',
      act() {
        const sold = soldOf(shipment)
        if (!sold) return { status: 422, body: { error: { code: wrong('SHIPMENT.NOT.BOUGHT'), message: '' } } }
        sold.refund = state.refunds
        return { status: 200, body: shownShipment(shipment) }
      },
    }
  }

  function serveShippo(method: string, path: string, query: URLSearchParams, body: Json): Served | undefined {
    if (method === 'POST' && path === '/shipments') return { kind: 'offer', act: () => offer('shippo', body) }
    if (method === 'POST' && path === '/transactions')
      return {
        kind: 'buy',
        act() {
          const shipment = [...shipments.values()].find((one) => one.rates[body.rate])
          if (!shipment) return { status: 400, body: { rate: [wrong('no such rate')] } }
          if (!['PDF', 'PDF_4x6', 'PDF_A6', 'PNG'].includes(body.label_file_type))
            return { status: 400, body: { a: wrong('type') } }
          if (body.async !== false || body.metadata !== shipment.given.metadata)
            return { status: 400, body: { a: wrong('metadata') } }
          // Shippo sells a rate as often as it is asked to.
          return { status: 201, body: transaction(sell(shipment, body.rate, body.label_file_type, body.metadata)) }
        },
      }
    if (method === 'GET' && path === '/transactions')
      return {
        kind: 'find',
        act: () => ({
          status: 200,
          body: {
            results: state.sold.filter(({ rate }) => !state.forgets && rate === query.get('rate')).map(transaction),
          },
        }),
      }
    const ref = /^\/transactions\/(\w+)$/.exec(path)?.[1]
    const sold = state.sold.find((one) => one.id === (ref ?? body.transaction))
    if (method === 'GET') return { kind: 'find', act: () => (sold ? { status: 200, body: transaction(sold) } : none) }
    if (method === 'POST' && path === '/refunds')
      return {
        kind: 'refund',
        act() {
          if (!sold) return { status: 400, body: { a: wrong('no such transaction') } }
          sold.refund = state.refunds
          const status = {
            submitted: 'PENDING',
            refunded: 'SUCCESS',
            rejected: 'ERROR',
            not_applicable: 'SUCCESS',
            none: 'QUEUED',
          }
          return { status: 201, body: { object_id: id('refund'), status: status[sold.refund], transaction: sold.id } }
        },
      }
    return undefined
  }

  function served(request: IncomingMessage, body: Json): Served | Answer {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const method = request.method ?? ''
    if (pathname.startsWith('/files/')) {
      const sold = state.sold.find(({ id }) => id === pathname.split('/').at(-1))
      // Whoever has the address of a label has the label: no key goes there.
      if (request.headers.authorization !== undefined) wrong('a key was sent for a file')
      return {
        kind: 'file',
        act: () => (sold ? { status: 200, body: state.file ?? files[sold.fileType] ?? PDF } : none),
      }
    }
    const isEasyPost = pathname.startsWith('/v2/')
    const key = isEasyPost
      ? `Basic ${Buffer.from(`${state.easypostKey}:`).toString('base64')}`
      : `ShippoToken ${state.shippoKey}`
    if (request.headers.authorization !== key)
      return { status: 401, body: { error: { code: 'APIKEY.INACTIVE', message: 'This key is not known' } } }
    if (method === 'POST' && Object.keys(body).length > 0 && request.headers['content-type'] !== 'application/json')
      return { status: 400, body: { a: wrong('content-type') } }
    const found = isEasyPost ? serveEasyPost(method, pathname, body) : serveShippo(method, pathname, searchParams, body)
    return found ?? { status: 404, body: { a: wrong(`${method} ${pathname}`) } }
  }

  const server = await faultyServer(served, state.faults, wrong)
  url = server.url
  return Object.assign(state, server)
}
