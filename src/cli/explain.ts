import { DatabaseError } from 'pg'
import { AppError, StartError } from '../domain/errors.ts'
import { GatewayUnknown } from '../domain/payment-gateway.ts'
import { isConnectionLost, isOutcomeUnknown } from '../platform/database/unavailable.ts'
import { describeError } from '../platform/log.ts'

const network: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  ETIMEDOUT: 'nothing answers there',
  EHOSTUNREACH: 'the host cannot be reached',
  ECONNRESET: 'it closed the connection',
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user',
  '3D000': 'it has no such database',
  '57P03': 'it is starting or stopping; try again in a moment',
  '53300': 'it accepts no more connections',
  '57P01': 'it was stopped',
  '08001': 'of its hosts that answer, none is what target_session_attrs wants',
}

const unknownAuthority =
  'this machine does not trust the authority of its TLS certificate. Name the file of that authority with sslrootcert=…, or encrypt without checking with sslmode=require'
const tls: [RegExp, string][] = [
  [/^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+)$/, unknownAuthority],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'its TLS certificate is for another host name. Use that name in the URL, or sslmode=verify-ca',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired. Renew it on the server'],
  [
    /does not support SSL/,
    'it does not use TLS. Turn TLS on there (ssl = on), or use sslmode=disable on a network that you trust',
  ],
  [/no encryption/, 'it requires TLS. Add sslmode=require to the URL, or better sslmode=verify-full'],
  [/sslmode=verify-ca requires/, 'sslmode=verify-ca needs the file of the certificate authority: sslrootcert=…'],
]

// PostgreSQL's sentences about the server, its roles and its schema. Those of other classes quote values.
const SPEAKS_OF_ITSELF = /^(08|0A|0L|25|26|28|2B|3D|3F|40|42|53|54|55|57|58|F0|XX)/

/** The sentence that the terminal shows. Of an unexpected error, only what cannot hold personal data. */
export function explain(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (isOutcomeUnknown(error))
    return 'The database went away before it confirmed this. Look whether it was before you run it again.'
  if (error instanceof AppError) {
    const details = error.details.map(({ path, message, code }) => {
      // The detail of a declined card repeats the message; only the gateway's code is new.
      const words = message === error.message && code ? code : message
      return `\n- ${path ? `${path}: ` : ''}${words}`
    })
    const { allowed } = error.extra
    const ways = Array.isArray(allowed) && allowed.length > 0 ? ` Possible now: ${allowed.join(', ')}.` : ''
    return `${error.message.replace(/\.?$/, '.')}${ways}${details.join('')}`
  }
  if (error instanceof GatewayUnknown) return 'The payment gateway did not answer. Try again in a moment.'
  const code = codeOf(error)
  const sentence = tls.find(
    ([what]) => what.test(code ?? '') || what.test(error instanceof Error ? error.message : ''),
  )?.[1]
  if (sentence) return `The database cannot be used: ${sentence}. Check DATABASE_URL.`
  const reason = code && network[code]
  if (reason) return `The database cannot be used: ${reason} (${code}). Check DATABASE_URL.`
  if (error instanceof Error && isConnectionLost(error)) {
    return 'The database cannot be used: it did not answer in time. Check that it runs and is not overloaded, then try again.'
  }
  if (error instanceof DatabaseError && SPEAKS_OF_ITSELF.test(error.code ?? '')) {
    const hint = error.hint ? ` ${error.hint.replace(/\.?$/, '.')}` : ''
    return `The database refuses this: ${error.message.replace(/\.?$/, '.')}${hint} PostgreSQL calls it ${error.code}.`
  }
  const described = describeError(error)
  const where = described.stack?.map((frame) => `\n  ${frame}`).join('') ?? ''
  return `Kitlane failed unexpectedly (${[described.type, described.code].filter(Boolean).join(' ')}). Please report this:${where}`
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  // Node tried several addresses of one host.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}
