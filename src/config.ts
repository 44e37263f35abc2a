import { resolve } from 'node:path'
import { z } from 'zod'
import { type BackupConfig, backupSettings, readBackups } from './backup-settings.ts'
import { databaseSettings } from './database-settings.ts'
import { StartError } from './domain/errors.ts'
import type { SecondFactorPolicy } from './domain/second-factor.ts'
import { filesSettings, readFiles } from './files-settings.ts'
import { type KmsSettings, keySettings, kmsOf } from './key-settings.ts'
import { type MonitoringConfig, monitoringSettings, readMonitoring } from './monitoring-settings.ts'
import { type OversightConfig, oversightSettings, readOversight } from './oversight-settings.ts'
import { checkStripeKeys, issuerOf, paymentSettings } from './payment-settings.ts'
import type { Issuer } from './platform/database/process-context.ts'
import type { FilesPlace } from './ports.ts'
import { readSources } from './setting-sources.ts'
import { signInSettings } from './sign-in-settings.ts'
import { readTextMessages, textMessageSettings } from './text-message-settings.ts'

export interface Config extends MonitoringConfig {
  role: 'all' | 'api' | 'worker'
  demo: boolean
  /** Whether the start brings the schema to this release, which takes the owner of the database. */
  migrate: boolean
  port: number
  host: string
  dataDir: string
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  databaseReplicaUrl: string | undefined
  stripeSecretKey: string | undefined
  stripePublishableKey: string | undefined
  stripeWebhookSecret: string | undefined
  /** Scheme and host of a stand-in or a proxy. Undefined: Stripe's own. */
  stripeApiUrl: string | undefined
  /** Who sells, on receipts. */
  issuer: Issuer | undefined
  carrierWebhookSecret: string | undefined
  easypostWebhookSecret: string | undefined
  smtpUrl: string | undefined
  /** Without a slash at the end. Undefined: the address the server listens on. */
  publicUrl: string | undefined
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies: string[] | undefined
  /** 32 bytes. Undefined: `kitlane start` keeps one in the data folder. */
  encryptionKey: Buffer | undefined
  previousEncryptionKey: Buffer | undefined
  kms: KmsSettings | undefined
  files: FilesPlace
  numbersTo: FilesPlace | undefined
  /** Hosts that uploaded files may be fetched from. */
  /** Undefined: text messages are kept. */
  twilio: ReturnType<typeof readTextMessages>
  uploadHosts: string[] | undefined
  allowLoopbackWebhooks: boolean
  secondFactor: SecondFactorPolicy
  signedRangesOnly: boolean
  oversight: OversightConfig
  backups: BackupConfig
  docs: boolean
  /** Between "not ready" and the end, so that load balancers look elsewhere first. */
  stopDelaySeconds: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** What the command line gives, as text: the same rules apply to it as to the environment. */
export interface Flags {
  port?: string
  host?: string
  data?: string
  role?: string
  demo?: boolean
  migrate?: boolean
}

/** An IP address, or a network such as 10.0.0.0/8. A network of all addresses would let any caller forge its address. */
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((text) => !text.endsWith('/0'))

interface Setting<T> {
  schema: z.ZodType<T>
  /** Ends the sentence "PORT must be …". */
  must: string
  example: string
  /** Its line in `kitlane start --help`. */
  help: string
}

const url = (schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)))
const settings = {
  PORT: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)),
    must: 'a whole number from 0 to 65535',
    example: '8080',
    help: 'the port to listen on, as --port',
  },
  HOST: {
    schema: z.string().regex(/^[\w.:-]+$/),
    must: 'a host name or an IP address',
    example: '127.0.0.1',
    help: 'the address to listen on, as --host',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    must: 'a directory',
    example: './data',
    help: 'the folder for everything that Kitlane keeps, as --data',
  },
  ...databaseSettings,
  ...paymentSettings,
  CARRIER_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/),
    must: 'whsec_ and at least 24 random bytes in base64',
    example: 'whsec_<what openssl rand -base64 24 prints>',
    help: 'verifies what carriers send to /hooks/carrier; without it that hook is off',
  },
  EASYPOST_WEBHOOK_SECRET: {
    schema: z.string().min(16),
    must: "the secret of EasyPost's webhook, at least 16 characters",
    example: '<what openssl rand -hex 24 prints>',
    help: 'verifies what EasyPost sends to /hooks/easypost; without it that hook is off',
  },
  SMTP_URL: {
    schema: url(['smtp', 'smtps']),
    must: 'the URL of a mail server',
    example: 'smtps://user:secret@mail.example.com:465',
    help: 'the mail server that sends e-mails',
  },
  PUBLIC_URL: {
    schema: url(['http', 'https']).transform((text) => text.replace(/\/+$/, '')),
    must: 'the public http or https URL of Kitlane',
    example: 'https://kits.example.com',
    help: 'the public URL of Kitlane (default: the address it listens on)',
  },
  TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .pipe(z.array(address).min(1)),
    must: 'addresses or networks separated by commas',
    example: '127.0.0.1,10.0.0.0/8',
    help: 'proxies in front of Kitlane whose X-Forwarded-For is trusted (default: none)',
  },
  UPLOAD_HOSTS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
      .pipe(z.array(z.string().regex(/^[\w.-]+(:\d+)?$/)).min(1)),
    must: 'host names separated by commas',
    example: 'bucket.s3.amazonaws.com',
    help: 'hosts from which s3FileUrl may fetch uploads (default: none)',
  },
  ALLOW_LOOPBACK_WEBHOOKS: {
    schema: z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true'),
    must: '1 or 0',
    example: '1',
    help: '1 allows webhooks to this machine, for development (default: 0)',
  },
  ...filesSettings,
  ...keySettings,
  ...signInSettings,
  ...textMessageSettings,
  SIGNED_RANGES_ONLY: {
    schema: z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true'),
    must: '1 or 0',
    example: '1',
    help: '1 judges live results only by ranges that a laboratory director signed (default: 0)',
  },
  ...monitoringSettings,
  ...oversightSettings,
  ...backupSettings,
  STOP_DELAY_SECONDS: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(10)),
    must: 'a whole number from 0 to 10',
    example: '5',
    help: 'seconds to keep serving after SIGTERM, while load balancers drain it (default: 2)',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    must: 'one of fatal, error, warn, info, debug, trace, silent',
    example: 'info',
    help: 'the log level: fatal, error, warn, info, debug, trace or silent (default: info)',
  },
} satisfies Record<string, Setting<unknown>>

/** Every setting with its help text. */
export const settingsHelp: readonly { name: string; help: string }[] = Object.entries(settings).map(
  ([name, { help }]) => ({ name, help }),
)

type SettingName = keyof typeof settings

const role = z.enum(['all', 'api', 'worker'])
const flagOf: Partial<Record<SettingName, 'port' | 'host' | 'data'>> = { PORT: 'port', HOST: 'host', DATA_DIR: 'data' }

/**
 * Loads the settings: flags, then the environment, then `.env` in the working directory, then defaults. NAME_FILE names a
 * file with the value of NAME. An empty setting counts as unset. Throws one StartError that lists every problem and shows no value, since a value may be a secret.
 *
 * Without ENCRYPTION_KEY, `kitlane start` makes a key once and keeps it in `<dataDir>/encryption.key`: enough for one machine.
 * `--role api` and `--role worker` on a DATABASE_URL are for several, which cannot share it, so they refuse to start.
 */
export function loadConfig(input: { env: Record<string, string | undefined>; flags: Flags; envFile?: string }): Config {
  const envFile = input.envFile ?? resolve('.env')
  const { env, file, problems } = readSources(Object.keys(settings), { env: input.env, envFile })

  function read<T>(name: SettingName, { schema, must, example }: Setting<T>): T | undefined {
    const flag = flagOf[name]
    const sources: [string, string | undefined, string][] = [
      [flag ? `--${flag}` : name, flag && input.flags[flag], flag ? `--${flag} ${example}` : ''],
      [name, env[name], `${name}=${example}`],
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
  const dataDir = resolve(read('DATA_DIR', settings.DATA_DIR) ?? './data')
  const config = {
    role: chosenRole.data ?? 'all',
    demo: input.flags.demo ?? false,
    migrate: input.flags.migrate ?? true,
    port: read('PORT', settings.PORT) ?? 8080,
    host: read('HOST', settings.HOST) ?? '127.0.0.1',
    dataDir,
    databaseUrl: read('DATABASE_URL', settings.DATABASE_URL),
    databaseDirectUrl: read('DATABASE_DIRECT_URL', settings.DATABASE_DIRECT_URL),
    databaseReplicaUrl: read('DATABASE_REPLICA_URL', settings.DATABASE_REPLICA_URL),
    stripeSecretKey: read('STRIPE_SECRET_KEY', settings.STRIPE_SECRET_KEY),
    stripePublishableKey: read('STRIPE_PUBLISHABLE_KEY', settings.STRIPE_PUBLISHABLE_KEY),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET', settings.STRIPE_WEBHOOK_SECRET),
    stripeApiUrl: read('STRIPE_API_URL', settings.STRIPE_API_URL),
    issuer: issuerOf(
      read('OPERATOR_NAME', settings.OPERATOR_NAME),
      read('OPERATOR_ADDRESS', settings.OPERATOR_ADDRESS),
      read('OPERATOR_TAX_ID', settings.OPERATOR_TAX_ID),
      problems,
    ),
    carrierWebhookSecret: read('CARRIER_WEBHOOK_SECRET', settings.CARRIER_WEBHOOK_SECRET),
    easypostWebhookSecret: read('EASYPOST_WEBHOOK_SECRET', settings.EASYPOST_WEBHOOK_SECRET),
    smtpUrl: read('SMTP_URL', settings.SMTP_URL),
    twilio: readTextMessages(read, problems),
    publicUrl: read('PUBLIC_URL', settings.PUBLIC_URL),
    trustedProxies: read('TRUSTED_PROXIES', settings.TRUSTED_PROXIES),
    encryptionKey: read('ENCRYPTION_KEY', settings.ENCRYPTION_KEY),
    previousEncryptionKey: read('ENCRYPTION_KEY_PREVIOUS', settings.ENCRYPTION_KEY_PREVIOUS),
    kms: kmsOf(
      read('KMS_KEY_ID', settings.KMS_KEY_ID),
      read('KMS_ENDPOINT_URL', settings.KMS_ENDPOINT_URL),
      { ...file, ...env },
      problems,
    ),
    ...readFiles(read, { dataDir, env: { ...file, ...input.env }, problems }),
    uploadHosts: read('UPLOAD_HOSTS', settings.UPLOAD_HOSTS),
    allowLoopbackWebhooks: read('ALLOW_LOOPBACK_WEBHOOKS', settings.ALLOW_LOOPBACK_WEBHOOKS) ?? false,
    secondFactor: read('SECOND_FACTOR', settings.SECOND_FACTOR) ?? (input.flags.demo ? 'optional' : 'operators'),
    signedRangesOnly: read('SIGNED_RANGES_ONLY', settings.SIGNED_RANGES_ONLY) ?? false,
    ...readMonitoring(read),
    oversight: readOversight(read, problems),
    backups: readBackups(read, { ...file, ...env }, problems),
    docs: read('DOCS', settings.DOCS) ?? true,
    stopDelaySeconds: read('STOP_DELAY_SECONDS', settings.STOP_DELAY_SECONDS) ?? 2,
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL) ?? 'info',
  }
  checkStripeKeys(config.stripeSecretKey, config.stripePublishableKey, problems)
  const spread = config.databaseUrl !== undefined && config.role !== 'all'
  const given = env.ENCRYPTION_KEY || file.ENCRYPTION_KEY
  if (spread && !given && !config.kms) {
    problems.push(
      `ENCRYPTION_KEY is missing: --role ${config.role} on a DATABASE_URL needs the key that all its machines share: ${settings.ENCRYPTION_KEY.must}. For example: ENCRYPTION_KEY=<what it prints>`,
    )
  }
  if (spread && config.backups.schedule && !config.backups.key) {
    problems.push(
      `BACKUP_KEY is missing beside BACKUP_TO: the machines of a DATABASE_URL cannot share a key that one of them makes. For example: BACKUP_KEY=${settings.BACKUP_KEY.example}`,
    )
  }
  if (config.monitoring.port === undefined && (env.METRICS_HOST || file.METRICS_HOST)) {
    problems.push('METRICS_PORT is missing beside METRICS_HOST. For example: METRICS_PORT=9464')
  }
  if (!config.databaseUrl && (config.databaseDirectUrl || config.databaseReplicaUrl)) {
    problems.push(
      `DATABASE_URL is missing beside its direct or replica URL. For example: DATABASE_URL=${settings.DATABASE_URL.example}`,
    )
  }
  if (problems.length > 0) {
    throw new StartError(`Kitlane cannot run with these settings:\n${problems.map((text) => `- ${text}`).join('\n')}`)
  }
  return config
}
