import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { keepEncryptionKey, readEncryptionKey } from './encryption-key.ts'
import { StartError } from './errors.ts'

export interface Config {
  role: 'all' | 'api' | 'worker'
  demo: boolean
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  databaseReplicaUrl: string | undefined
  stripeSecretKey: string | undefined
  stripeWebhookSecret: string | undefined
  smtpUrl: string | undefined
  /** Without a slash at the end. Undefined: the address the server listens on. */
  publicUrl: string | undefined
  /** 32 bytes. */
  encryptionKey: Buffer
  /** `file`: `<dataDir>/encryption.key`, which must be kept as safe as the database. */
  encryptionKeyFrom: 'environment' | 'file'
  allowLoopbackWebhooks: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** What the command line gives, as text: the same rules apply to it as to the environment. */
export interface Flags {
  port?: string
  host?: string
  data?: string
  role?: string
  demo?: boolean
}

interface Setting<T> {
  schema: z.ZodType<T>
  /** Ends the sentence "PORT must be …". */
  must: string
  example: string
}

const setting = <T>(schema: z.ZodType<T>, must: string, example: string): Setting<T> => ({ schema, must, example })

const url = (schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)))
const database = (example: string) =>
  setting(url(['postgres', 'postgresql']), 'the URL of a PostgreSQL database', example)
const postgresExample = 'postgres://kitlane:secret@db.example.com:5432/kitlane'

const settings = {
  PORT: setting(
    z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)),
    'a whole number from 0 to 65535',
    '8080',
  ),
  HOST: setting(z.string().regex(/^[\w.:-]+$/), 'a host name or an IP address', '127.0.0.1'),
  DATA_DIR: setting(z.string().min(1), 'a directory', './data'),
  DATABASE_URL: database(postgresExample),
  DATABASE_DIRECT_URL: database(postgresExample),
  DATABASE_REPLICA_URL: database(postgresExample),
  STRIPE_SECRET_KEY: setting(
    z.string().regex(/^(sk|rk)_(test|live)_\w+$/),
    'a secret or restricted key of Stripe',
    'sk_test_…',
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    z.string().regex(/^whsec_\S+$/),
    "the signing secret of Stripe's webhook endpoint",
    'whsec_…',
  ),
  SMTP_URL: setting(url(['smtp', 'smtps']), 'the URL of a mail server', 'smtps://user:secret@mail.example.com:465'),
  PUBLIC_URL: setting(
    url(['http', 'https']).transform((text) => text.replace(/\/+$/, '')),
    'the http or https URL under which others reach Kitlane',
    'https://kits.example.com',
  ),
  ENCRYPTION_KEY: setting(
    z.string().transform(readEncryptionKey).pipe(z.instanceof(Buffer)),
    '32 random bytes in base64 or as 64 hexadecimal digits; `openssl rand -base64 32` prints some',
    '<what it prints>',
  ),
  ALLOW_LOOPBACK_WEBHOOKS: setting(
    z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true'),
    '1 or 0',
    '1',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'one of fatal, error, warn, info, debug, trace, silent',
    'info',
  ),
}

type SettingName = keyof typeof settings

const role = z.enum(['all', 'api', 'worker'])
const flagOf: Partial<Record<SettingName, 'port' | 'host' | 'data'>> = { PORT: 'port', HOST: 'host', DATA_DIR: 'data' }

/**
 * The settings: flags before environment before `.env` of the working directory before defaults; an empty one counts
 * as not set. Throws one StartError that lists every problem and shows no value, because a value may be a secret.
 *
 * The encryption key is ENCRYPTION_KEY. Without it, a key is made once and kept in `<dataDir>/encryption.key`: enough
 * for one machine. `--role api` and `--role worker` on a DATABASE_URL are for several machines, which cannot share
 * that file, so they refuse to start without ENCRYPTION_KEY.
 */
export function loadConfig(input: { env: Record<string, string | undefined>; flags: Flags; envFile?: string }): Config {
  const envFile = input.envFile ?? resolve('.env')
  const file: Record<string, string | undefined> = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}
  const problems = [...unknown(file, input.env)]

  function read<T>(name: SettingName, { schema, must, example }: Setting<T>): T | undefined {
    const flag = flagOf[name]
    const sources: [string, string | undefined, string][] = [
      [flag ? `--${flag}` : name, flag && input.flags[flag], flag ? `--${flag} ${example}` : ''],
      [name, input.env[name], `${name}=${example}`],
      [`${name} in .env`, file[name], `${name}=${example}`],
    ]
    const source = sources.find(([, text]) => text !== undefined && text !== '')
    if (!source) return undefined
    const [where, text, shown] = source
    const parsed = schema.safeParse(text)
    if (parsed.success) return parsed.data
    problems.push(`${where} must be ${must}. For example: ${shown}`)
    return undefined
  }

  const chosenRole = role.safeParse(input.flags.role ?? 'all')
  if (!chosenRole.success) problems.push('--role must be all, api or worker. For example: --role worker')
  const key = read('ENCRYPTION_KEY', settings.ENCRYPTION_KEY)
  const config = {
    role: chosenRole.data ?? 'all',
    demo: input.flags.demo ?? false,
    port: read('PORT', settings.PORT) ?? 8080,
    host: read('HOST', settings.HOST) ?? '127.0.0.1',
    dataDir: resolve(read('DATA_DIR', settings.DATA_DIR) ?? './data'),
    databaseUrl: read('DATABASE_URL', settings.DATABASE_URL),
    databaseDirectUrl: read('DATABASE_DIRECT_URL', settings.DATABASE_DIRECT_URL),
    databaseReplicaUrl: read('DATABASE_REPLICA_URL', settings.DATABASE_REPLICA_URL),
    stripeSecretKey: read('STRIPE_SECRET_KEY', settings.STRIPE_SECRET_KEY),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET', settings.STRIPE_WEBHOOK_SECRET),
    smtpUrl: read('SMTP_URL', settings.SMTP_URL),
    publicUrl: read('PUBLIC_URL', settings.PUBLIC_URL),
    allowLoopbackWebhooks: read('ALLOW_LOOPBACK_WEBHOOKS', settings.ALLOW_LOOPBACK_WEBHOOKS) ?? false,
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL) ?? 'info',
  }
  const spread = config.databaseUrl !== undefined && config.role !== 'all'
  const given = input.env.ENCRYPTION_KEY || file.ENCRYPTION_KEY
  if (spread && !given) {
    problems.push(
      `ENCRYPTION_KEY is missing: --role ${config.role} on a DATABASE_URL needs the key that all its machines share. ${settings.ENCRYPTION_KEY.must}. For example: ENCRYPTION_KEY=<what it prints>`,
    )
  }
  if (!config.databaseUrl && (config.databaseDirectUrl || config.databaseReplicaUrl)) {
    problems.push(
      `DATABASE_URL is missing beside its direct or replica URL. For example: DATABASE_URL=${postgresExample}`,
    )
  }
  if (problems.length > 0) {
    throw new StartError(`Kitlane cannot start with these settings:\n${problems.map((text) => `- ${text}`).join('\n')}`)
  }
  return {
    ...config,
    encryptionKey: key ?? keepEncryptionKey(config.dataDir),
    encryptionKeyFrom: key ? 'environment' : 'file',
  }
}

function* unknown(file: Record<string, unknown>, env: Record<string, unknown>): Generator<string> {
  const list = `Known settings: ${Object.keys(settings).join(', ')}`
  for (const name of Object.keys(file)) {
    if (!Object.hasOwn(settings, name)) yield `${name} in .env is not a setting of Kitlane. ${list}`
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KITLANE_')) continue
    const meant = name.slice('KITLANE_'.length)
    const hint = Object.hasOwn(settings, meant) ? `Use ${meant}` : list
    yield `${name} is not a setting of Kitlane. ${hint}`
  }
}
