import type { Answer, Init } from '@kitlane/client'
import { t } from '../../language/t.ts'

export type Account = Answer<'get', '/operator/v1/label-accounts'>[number]
type Body = Init<'post', '/operator/v1/label-accounts/{provider}'>['body']

export interface Draft {
  texts: Readonly<Record<string, string>>
  buysReturnLabels: boolean
  isActive: boolean
  isA6: boolean
}

const party = (start: string): [string, string][] => [
  [`${start}.name`, t('Name')],
  [`${start}.company`, t('Company, if any')],
  [`${start}.street1`, t('Street')],
  [`${start}.street2`, t('Further line, if any')],
  [`${start}.city`, t('City')],
  [`${start}.state`, t('State')],
  [`${start}.zip`, t('Postcode')],
  [`${start}.country`, t('Country, two letters')],
  [`${start}.phone`, t('Phone')],
]

/** What is typed, in groups: the path in the account, and its name. */
export const groups: { title: string; fields: [string, string][] }[] = [
  { title: t('Key'), fields: [['secretKey', t('Secret key, if it is new')]] },
  { title: t('Sender'), fields: party('sender') },
  { title: t('Where samples go, if not to the sender'), fields: party('samplesTo') },
  {
    title: t('The box of every kit type'),
    fields: [
      ['box.lengthMm', t('Length in mm')],
      ['box.widthMm', t('Width in mm')],
      ['box.heightMm', t('Height in mm')],
      ['box.weightGrams', t('Weight in grams')],
    ],
  },
  {
    title: t('Preferred service, if not the cheapest'),
    fields: [
      ['service.carrier', t('Carrier')],
      ['service.service', t('Service, as the label service names it')],
    ],
  },
  {
    title: t('For customs, if kits go abroad'),
    fields: [
      ['customs.contents', t('What is in the box: never what is tested')],
      ['customs.valueMinor', t('Value in the smallest unit of the currency, such as cents')],
      ['customs.currency', t('Currency, three letters')],
      ['customs.hsCode', t('HS code')],
      ['customs.originCountry', t('Country of origin')],
      ['customs.signer', t('Who answers for it')],
    ],
  },
]

const sections = ['sender', 'samplesTo', 'service', 'customs'] as const
const isNumber = (key: string) => key.endsWith('Mm') || key.endsWith('Grams') || key.endsWith('Minor')
const usual = (parcels: Account['parcels'] | undefined) => parcels?.find(({ kitType }) => kitType === undefined)

export function draftOf(account: Account | undefined): Draft {
  const known: Record<string, object | undefined> = { box: usual(account?.parcels) }
  for (const name of sections) known[name] = account?.[name]
  const entries = Object.entries(known).flatMap(([name, part]) =>
    Object.entries(part ?? {}).map(([key, value]) => [`${name}.${key}`, String(value ?? '')]),
  )
  return {
    texts: { 'sender.country': 'US', ...Object.fromEntries(entries) },
    buysReturnLabels: account?.buysReturnLabels ?? false,
    isActive: account?.isActive ?? true,
    isA6: account?.format === 'A6',
  }
}

/** What is saved: what the form does not show stays as it was. */
export function bodyOf({ texts, buysReturnLabels, isActive, isA6 }: Draft, before: Account | undefined): Body {
  const part = (name: string) => {
    const entries = Object.entries(texts).flatMap(([key, value]) =>
      key.startsWith(`${name}.`) && value.trim() !== ''
        ? [[key.slice(name.length + 1), isNumber(key) ? Number(value) : value.trim()]]
        : [],
    )
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const {
    provider: _,
    hasSecretKey: _has,
    tested: _tested,
    createdDate: _made,
    changedDate: _changed,
    ...kept
  } = before ?? ({} as Partial<Account>)
  const others = (before?.parcels ?? []).filter(({ kitType }) => kitType !== undefined)
  const box = part('box')
  const secretKey = texts.secretKey?.trim()
  return {
    ...kept,
    ...Object.fromEntries(sections.map((name) => [name, part(name)])),
    parcels: [...(box ? [box] : []), ...others],
    buysReturnLabels,
    isActive,
    format: isA6 ? 'A6' : '4x6',
    ...(secretKey && { secretKey }),
  } as Body
}
