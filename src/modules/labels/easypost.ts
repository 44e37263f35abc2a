import { z } from 'zod'
import type { ShippingPort } from '../../domain/ports.ts'
import { type Bought, client, type LabelService, Refusal, type VoidState } from './call.ts'
import { type Consignment, chargedOf, declaredValueOf, minorOf, type Rate } from './rules.ts'
import type { Reason } from './schema.ts'

const Failure = z.object({ error: z.object({ code: z.string(), message: z.unknown() }).partial() })

const Shipment = z.looseObject({
  id: z.string(),
  mode: z.string().nullish(),
  reference: z.string().nullish(),
  tracking_code: z.string().nullish(),
  refund_status: z.string().nullish(),
  selected_rate: z.looseObject({ rate: z.string(), currency: z.string() }).nullish(),
  postage_label: z.looseObject({ label_url: z.string() }).nullish(),
  rates: z
    .array(
      z.looseObject({
        id: z.string(),
        carrier: z.string(),
        service: z.string(),
        rate: z.string(),
        currency: z.string(),
      }),
    )
    .default([]),
})
type Shipment = z.infer<typeof Shipment>

// https://docs.easypost.com/docs/errors
const known: readonly [RegExp, Reason][] = [
  [/^(ADDRESS|SHIPMENT\.(TO_|FROM_)?ADDRESS)/, 'address'],
  [/^(INSUFFICIENT_FUNDS|PAYMENT|BILLING|SHIPMENT\.POSTAGE\.(INSUFFICIENT|BILLING))/, 'noMoney'],
  [/^(RATE|SHIPMENT\.(NO_?RATE|RATE))/, 'noRate'],
  [/^(APIKEY|UNAUTHORIZED|FORBIDDEN|MODE\.)/, 'account'],
  [/CUSTOMS/, 'customs'],
]

function refusalOf(status: number, body: unknown): Refusal {
  const code = Failure.safeParse(body).data?.error.code
  const found = known.find(([pattern]) => pattern.test(code ?? ''))?.[1]
  const byStatus: Reason = status === 401 || status === 403 ? 'account' : status === 402 ? 'noMoney' : 'refused'
  return new Refusal(found ?? byStatus, code)
}

const inches = (mm: number): number => Math.ceil((mm / 25.4) * 10) / 10
const ounces = (grams: number): number => Math.ceil((grams / 28.349523125) * 10) / 10

function shipmentOf(id: string, { from, to, returnTo, isReturn, parcel, customs, format, fileType }: Consignment) {
  const weight = ounces(parcel.weightGrams)
  return {
    reference: id,
    from_address: from,
    to_address: to,
    return_address: returnTo,
    is_return: isReturn,
    parcel: {
      length: inches(parcel.lengthMm),
      width: inches(parcel.widthMm),
      height: inches(parcel.heightMm),
      weight,
    },
    options: { label_format: fileType, label_size: format },
    ...(customs && {
      customs_info: {
        contents_type: 'merchandise',
        contents_explanation: '',
        customs_certify: true,
        customs_signer: customs.signer,
        eel_pfc: customs.exemption,
        non_delivery_option: 'return',
        restriction_type: 'none',
        customs_items: [
          {
            description: customs.contents,
            quantity: 1,
            weight,
            value: Number(declaredValueOf(customs)),
            currency: customs.currency,
            hs_tariff_number: customs.hsCode.replaceAll('.', ''),
            origin_country: customs.originCountry,
          },
        ],
      },
    }),
  }
}

function rateOf({ id, carrier, service, rate, currency }: Shipment['rates'][number]): Rate[] {
  const amount = minorOf(rate, currency)
  return amount === undefined ? [] : [{ ref: id, carrier, service, amount, currency }]
}

const refunds: Readonly<Record<string, VoidState>> = {
  submitted: 'asked',
  refunded: 'voided',
  rejected: 'refused',
  // Nothing is paid before the carrier has scanned it.
  not_applicable: 'voided',
}

const voidOf = ({ refund_status: status }: Shipment): VoidState => refunds[status ?? ''] ?? 'none'

function boughtOf({
  id,
  postage_label: label,
  tracking_code: number,
  selected_rate: rate,
}: Shipment): Bought | undefined {
  if (!label || !number) return undefined
  return { ref: id, number, url: label.label_url, charged: chargedOf(rate?.rate, rate?.currency) }
}

/**
 * EasyPost. A shipment is made first and bought then: it knows whether it was bought, and is sold once.
 * https://docs.easypost.com/docs/shipments
 */
export function easypost(port: ShippingPort, key: string): LabelService {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  const call = client(port, { provider: 'easypost', headers: { authorization } }, refusalOf)
  const at = (ref: string) => `/v2/shipments/${encodeURIComponent(ref)}`
  return {
    async offer(id, consignment) {
      const body = { shipment: shipmentOf(id, consignment) }
      const { id: ref, mode, rates } = await call(Shipment, 'POST', '/v2/shipments', { body })
      return { ref, isTest: mode !== 'production', rates: rates.flatMap(rateOf) }
    },
    async buy({ shipmentRef, rateRef }, _wanted, mayBegin) {
      const body = { rate: { id: rateRef } }
      return boughtOf(await call(Shipment, 'POST', `${at(shipmentRef)}/buy`, { body, mayBegin })) ?? 'pending'
    },
    find: async ({ shipmentRef }) => boughtOf(await call(Shipment, 'GET', at(shipmentRef))),
    askVoid: async ({ shipmentRef }) => voidOf(await call(Shipment, 'POST', `${at(shipmentRef)}/refund`)),
    voidState: async ({ shipmentRef }) => voidOf(await call(Shipment, 'GET', at(shipmentRef))),
  }
}
