import { z } from 'zod'
import { apiUrl } from './key-settings.ts'

const line = z.string().trim().min(1).max(200)

/** How cards are charged, and who issues receipts; config.ts includes it. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: {
    schema: z.string().regex(/^(sk|rk)_(test|live)_\w+$/),
    must: 'a secret or restricted key of Stripe',
    example: 'sk_test_…',
    help: 'charges live orders through Stripe; without it, cards are simulated',
  },
  STRIPE_PUBLISHABLE_KEY: {
    schema: z.string().regex(/^pk_(test|live)_\w+$/),
    must: 'the publishable key of Stripe, of the same mode as STRIPE_SECRET_KEY',
    example: 'pk_test_…',
    help: "lets businesses enter cards in Stripe's own fields",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_\S+$/),
    must: "the signing secret of Stripe's webhook endpoint",
    example: 'whsec_…',
    help: 'verifies the webhooks from Stripe',
  },
  STRIPE_API_URL: {
    schema: apiUrl,
    must: 'an https URL without a path, or an http one of this machine',
    example: 'http://127.0.0.1:12111',
    help: "another address for Stripe's API: a stand-in or a proxy",
  },
  OPERATOR_NAME: {
    schema: line,
    must: 'the name of the company that runs Kitlane',
    example: 'Nordlab Kits Ltd',
    help: 'the seller on receipts and invoices (default: Kitlane)',
  },
  OPERATOR_ADDRESS: {
    schema: z
      .string()
      .transform((text) => text.split('|').map((part) => part.trim()))
      .pipe(z.array(line).min(1).max(6)),
    must: 'the address of the company, its lines separated by |',
    example: '1 Mill Lane|Bristol BS1 4ND|United Kingdom',
    help: "the seller's address on receipts, its lines separated by |",
  },
  OPERATOR_TAX_ID: {
    schema: z.string().trim().min(1).max(50),
    must: 'the tax number of the company',
    example: 'GB123456789',
    help: "the seller's tax number on receipts",
  },
}

/** Who issues receipts; undefined without a name. */
export function issuerOf(
  name: string | undefined,
  address: string[] | undefined,
  taxId: string | undefined,
  problems: string[],
) {
  if (name !== undefined) return { name, address: address ?? [], taxId }
  if (address ?? taxId) {
    problems.push(
      `OPERATOR_NAME is missing beside the address or tax number of the seller. For example: OPERATOR_NAME=${paymentSettings.OPERATOR_NAME.example}`,
    )
  }
  return undefined
}

/** A publishable key of the other mode would let people enter cards that cannot be charged. */
export function checkStripeKeys(secret: string | undefined, publishable: string | undefined, problems: string[]): void {
  const modeOf = (key: string) => key.split('_')[1]
  if (publishable === undefined) return
  if (secret === undefined) problems.push('STRIPE_SECRET_KEY is missing beside STRIPE_PUBLISHABLE_KEY')
  else if (modeOf(secret) !== modeOf(publishable))
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both live keys')
}
