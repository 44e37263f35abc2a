import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { noChannels } from './domain/operator-channels.ts'
import { MAX_REQUEST_LOG_DAYS, REQUEST_LOG_DAYS } from './domain/request-log.ts'
import { secondFactorPolicies } from './domain/second-factor.ts'
import { parseDatabaseUrl } from './platform/database-url.ts'
import { readEncryptionKey } from './platform/key-file.ts'
import { type Given, setting, settingsOf, together, type Values } from './platform/settings.ts'

const text = z.string()
const urlOf = (...schemes: string[]) =>
  text.refine((given) => URL.canParse(given) && schemes.includes(new URL(given).protocol.slice(0, -1)))
const webUrl = urlOf('http', 'https').transform((given) => given.replace(/\/+$/, ''))
// It is part of links that others get.
const withoutLogin = webUrl.refine((given) => !/^\w+:\/\/[^/?#]*@/.test(given))
const postgresUrl = text.refine((given) => parseDatabaseUrl(given) !== undefined)
const key32 = text.transform(readEncryptionKey).pipe(z.instanceof(Buffer))
const line = text.trim().min(1).max(200)
const filePath = text
  .refine((given) => URL.canParse(given) && given.startsWith('file:///') && isAbsolute(fileURLToPath(given)))
  .transform((given) => fileURLToPath(given))
const mailbox = text.regex(/^mailto:/).transform((given) => given.slice('mailto:'.length))
// http would expose a key that moves money, so it is allowed on this machine only.
const apiUrl = z
  .url({ protocol: /^https?$/ })
  .transform((given) => new URL(given))
  .refine(({ protocol, hostname }) => protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  .refine(({ pathname, search, hash, username, password }) => pathname + search + hash + username + password === '/')
  .transform(({ origin }) => origin)
/** A bucket and a path in it. */
export const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/
const place = text.refine(
  (given) => S3_URL.test(given) || isAbsolute(given) || (given.startsWith('file:///') && URL.canParse(given)),
)
const isBackupPlace = (given: string) =>
  isAbsolute(given) || /^(file:\/\/\/.|s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$))/.test(given)
const backupPlace = text.refine(isBackupPlace).transform((given) => (given.endsWith('/') ? given : `${given}/`))
// A network of all addresses would let any caller forge its address.
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((given) => !given.endsWith('/0'))
/** As OpenTelemetry specifies it: name=value, separated by commas, values percent-encoded. */
const headers = text.regex(/^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/).transform((given) =>
  Object.fromEntries(
    given.split(',').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name.trim().toLowerCase(), decodeURIComponent(value.trim())]
    }),
  ),
)
// 45 CFR 164.316(b)(2): six years. The database refuses to let go of what is younger, too.
const AUDIT_DAYS = 2192

const api = 'an https URL without a path, or an http one of this machine'
const postgres = {
  must: 'the URL of a PostgreSQL database',
  example: 'postgres://kitlane:secret@db.example.com:5432/kitlane',
  secret: true,
}
const signing = {
  must: 'whsec_ and at least 24 random bytes in base64',
  example: 'whsec_<what openssl rand -base64 24 prints>',
  secret: true,
}
const WHSEC = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

const service = {
  role: setting.choice(['all', 'api', 'worker'], {
    flag: '--role <role>',
    flagOnly: true,
    default: 'all',
    must: 'all, api or worker',
    example: 'worker',
    help: 'what to run: all, api or worker',
  }),
  demo: setting.boolean({
    flag: '--demo',
    flagOnly: true,
    default: false,
    help: 'fill an empty database with a business, a test card, a login, tokens, an order, and two made-up companies to look at',
  }),
  migrate: setting.boolean({
    flag: '--no-migrate',
    flagOnly: true,
    default: true,
    help: 'leave the schema as it is, which needs no owner of the database: kitlane migrate has run',
  }),
  port: setting.whole(0, 65_535, {
    flag: '--port <number>',
    default: 8080,
    example: '8080',
    help: 'the port to listen on; 0 takes any free one',
  }),
  host: setting.text(/^[\w.:-]+$/, {
    flag: '--host <address>',
    default: '127.0.0.1',
    must: 'a host name or an IP address',
    example: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 lets other machines in',
  }),
  dataDir: setting.text(/./, {
    flag: '--data <folder>',
    default: './data',
    must: 'a directory',
    example: './data',
    help: 'the folder for everything that Kitlane keeps',
  }),
  publicUrl: setting.value(withoutLogin, {
    must: 'the public http or https URL of Kitlane, without a user or password',
    example: 'https://kits.example.com',
    help: 'the public URL of Kitlane',
    unset: 'the address it listens on',
  }),
  trustedProxies: setting.list(address, {
    must: 'addresses or networks separated by commas',
    example: '127.0.0.1,10.0.0.0/8',
    help: 'proxies in front of Kitlane whose X-Forwarded-For is trusted',
    unset: 'none',
  }),
  stopDelaySeconds: setting.whole(0, 10, {
    default: 2,
    example: '5',
    help: 'seconds to keep serving after SIGTERM, while load balancers drain it',
  }),
  docs: setting.boolean({ default: true, help: '0 serves neither /docs nor the OpenAPI documents' }),
  smtpUrl: setting.value(urlOf('smtp', 'smtps'), {
    must: 'the URL of a mail server',
    example: 'smtps://user:secret@mail.example.com:465',
    help: 'the mail server that sends e-mails',
    unset: 'e-mails are kept, not sent',
    secret: true,
  }),
  allowLoopbackWebhooks: setting.boolean({
    default: false,
    help: '1 allows webhooks to this machine, for development',
  }),
}

const database = {
  database: together({
    url: setting.value(postgresUrl, {
      ...postgres,
      required: true,
      help: 'a PostgreSQL database',
      unset: 'Kitlane runs its own PostgreSQL',
    }),
    directUrl: setting.value(postgresUrl, { ...postgres, help: 'the same database, bypassing PgBouncer' }),
    replicaUrl: setting.value(postgresUrl, { ...postgres, help: 'a read-only replica of the database' }),
  }),
}

const keys = {
  encryptionKey: setting.value(key32, {
    must: '32 random bytes in base64 or as 64 hexadecimal digits; `openssl rand -base64 32` makes them',
    example: '<what it prints>',
    help: 'encrypts secrets in the database',
    unset: 'a key kept in the data folder',
    secret: true,
  }),
  encryptionKeyPrevious: setting.value(key32, {
    must: 'the ENCRYPTION_KEY of before',
    example: '<the ENCRYPTION_KEY of before>',
    help: 'the ENCRYPTION_KEY of before, until kitlane keys rotate --master has ended',
    secret: true,
  }),
  kms: together({
    keyId: setting.text(/^(arn:aws[\w-]*:kms:[\w-]+:\d{12}:(key|alias)\/\S+|alias\/\S+|[0-9a-f-]{36})$/, {
      required: true,
      must: 'the ARN, the alias or the ID of a symmetric key of AWS KMS',
      example: 'alias/kitlane',
      help: 'the master key at AWS KMS, with AWS_REGION and the credentials of AWS',
    }),
    endpointUrl: setting.value(apiUrl, {
      must: api,
      example: 'https://vpce-1.kms.eu-central-1.vpce.amazonaws.com',
      help: 'another address for AWS KMS, such as a private endpoint',
    }),
  }),
  aws: {
    region: setting.text(/^[\w-]+$/, {
      must: 'the name of a region of AWS',
      example: 'eu-central-1',
      help: 'the region of AWS for KMS, files and backups',
    }),
    accessKeyId: setting.text(/./, {
      must: 'the ID of an access key of AWS',
      example: 'AKIA…',
      help: 'the access key of AWS for KMS, files and backups',
    }),
    secretAccessKey: setting.text(/./, {
      must: 'the secret of the access key',
      example: '<the secret>',
      help: 'the secret of that access key',
      secret: true,
    }),
    sessionToken: setting.text(/./, {
      must: 'the session token of temporary credentials',
      example: '<the token>',
      help: 'the session token, if the credentials are temporary',
      secret: true,
    }),
  },
}

const payments = {
  stripe: {
    secretKey: setting.text(/^(sk|rk)_(test|live)_\w+$/, {
      must: 'a secret or restricted key of Stripe',
      example: 'sk_test_…',
      help: 'charges live orders through Stripe',
      unset: 'cards are simulated',
      secret: true,
    }),
    publishableKey: setting.text(/^pk_(test|live)_\w+$/, {
      must: 'the publishable key of Stripe, of the same mode as STRIPE_SECRET_KEY',
      example: 'pk_test_…',
      help: "lets businesses enter cards in Stripe's own fields",
    }),
    webhookSecret: setting.text(/^whsec_\S+$/, {
      must: "the signing secret of Stripe's webhook endpoint",
      example: 'whsec_…',
      help: 'verifies the webhooks from Stripe',
      secret: true,
    }),
    apiUrl: setting.value(apiUrl, {
      must: api,
      example: 'http://127.0.0.1:12111',
      help: "another address for Stripe's API: a stand-in or a proxy",
    }),
  },
  operator: together({
    name: setting.value(line, {
      required: true,
      must: 'the name of the company that runs Kitlane',
      example: 'Nordlab Kits Ltd',
      help: 'the seller on receipts and invoices',
      unset: 'Kitlane',
    }),
    address: setting.list(line, {
      between: '|',
      max: 6,
      default: [],
      unset: 'none',
      must: 'the address of the company, its lines separated by |',
      example: '1 Mill Lane|Bristol BS1 4ND|United Kingdom',
      help: "the seller's address on receipts, its lines separated by |",
    }),
    taxId: setting.value(line.max(50), {
      must: 'the tax number of the company',
      example: 'GB123456789',
      help: "the seller's tax number on receipts",
    }),
  }),
}

const hooks = {
  carrierWebhookSecret: setting.text(WHSEC, {
    ...signing,
    help: 'verifies what carriers send to /hooks/carrier; without it that hook is off',
  }),
  easypostWebhookSecret: setting.text(/^.{16,}$/, {
    must: "the secret of EasyPost's webhook, at least 16 characters",
    example: '<what openssl rand -hex 24 prints>',
    help: 'verifies what EasyPost sends to /hooks/easypost; without it that hook is off',
    secret: true,
  }),
  shippoWebhookToken: setting.text(/^[\w-]{16,}$/, {
    must: 'the token in the URL of the webhook of Shippo: at least 16 letters and digits',
    example: '<what openssl rand -hex 24 prints>',
    help: 'verifies what Shippo sends to /hooks/shippo?token=…; without it that hook is off',
    secret: true,
  }),
  shipstationWebhookToken: setting.text(/^[\w-]{16,}$/, {
    must: 'the token in the URL of the webhook of ShipStation: at least 16 letters and digits',
    example: '<what openssl rand -hex 24 prints>',
    help: 'verifies what ShipStation sends to /hooks/shipstation?token=…; without it: off',
    secret: true,
  }),
  shipbobWebhookSecret: setting.text(WHSEC, {
    ...signing,
    help: 'verifies what ShipBob sends to /hooks/shipbob; without it that hook is off',
  }),
  twilio: together({
    accountSid: setting.text(/^AC[0-9a-f]{32}$/, {
      required: true,
      must: 'the SID of an account: AC and 32 hexadecimal digits',
      example: 'AC0123456789abcdef0123456789abcdef',
      help: 'sends text messages by this account of Twilio, with TWILIO_AUTH_TOKEN and TWILIO_FROM',
    }),
    authToken: setting.text(/^.{16,}$/, {
      required: true,
      must: "the account's auth token, at least 16 characters",
      example: '<what Twilio shows for the account>',
      help: 'signs in to Twilio, and verifies what it sends to /hooks/twilio',
      secret: true,
    }),
    from: setting.text(/^(\+[1-9]\d{4,14}|MG[0-9a-f]{32})$/, {
      required: true,
      must: 'a registered number such as +15550101234, or the MG… of a messaging service',
      example: '+15550101234',
      help: 'the sender of text messages',
    }),
    apiUrl: setting.value(webUrl, {
      must: 'an http or https URL',
      example: 'http://127.0.0.1:4010',
      help: 'another host instead of Twilio, for tests',
    }),
  }),
  textsPerNumberADay: setting.whole(1, 1000, {
    default: 10,
    example: '10',
    help: 'text messages that one number gets in 24 hours at most; others wait',
  }),
  textsPerBusinessADay: setting.whole(1, 1_000_000, {
    default: 5000,
    example: '5000',
    help: 'text messages that one business sends in 24 hours at most; others wait',
  }),
}

const files = {
  files: {
    url: setting.value(place, {
      must: 's3://<bucket>/<prefix>, or the absolute path of a folder',
      example: 's3://kitlane-files/production',
      help: 'where files are kept, the same for all nodes',
      unset: 'files in the data folder',
    }),
    endpointUrl: setting.value(apiUrl, {
      must: api,
      example: 'https://s3.example.com',
      help: 'the address of an object storage other than AWS S3',
    }),
    region: setting.text(/^[\w-]+$/, {
      must: 'the name of a region',
      example: 'eu-central-1',
      help: 'the region of the bucket',
      unset: 'AWS_REGION',
    }),
    pathStyle: setting.boolean({
      help: '1: the bucket is in the path of URLs',
      unset: '1 with FILES_ENDPOINT_URL, else 0',
    }),
    accessKeyId: setting.text(/./, {
      must: 'the ID of an access key',
      example: 'AKIA…',
      help: 'the access key of the bucket',
      unset: 'AWS_ACCESS_KEY_ID',
    }),
    secretAccessKey: setting.text(/./, {
      must: 'the secret of the access key',
      example: '<the secret>',
      help: 'the secret of that access key',
      unset: 'AWS_SECRET_ACCESS_KEY',
      secret: true,
    }),
  },
  numbersTo: setting.value(place, {
    must: 's3://<bucket>/<prefix>, or the absolute path of a folder',
    example: 's3://kitlane-numbers/production',
    help: 'where the kits and credits of each day are written at night',
    unset: 'nowhere',
  }),
  uploadHosts: setting.list(text.toLowerCase().regex(/^[\w.-]+(:\d+)?$/), {
    must: 'host names separated by commas',
    example: 'bucket.s3.amazonaws.com',
    help: 'hosts from which s3FileUrl may fetch uploads',
    unset: 'none',
  }),
}

const backups = {
  backup: {
    key: setting.text(/^(AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{50,}|age1[0-9a-z]{50,})$/, {
      must: 'a key of age: AGE-SECRET-KEY-1…, or age1… to make backups only; `age-keygen` makes them',
      example: '<what age-keygen prints>',
      help: 'encrypts backups, a key of age',
      unset: 'a key kept in the data folder',
      secret: true,
    }),
    to: setting.value(backupPlace, {
      must: 'an absolute path of a folder, or s3://bucket/prefix/',
      example: 's3://backups/kitlane/',
      help: 'the folder or s3://bucket/prefix/ for scheduled backups',
      unset: 'none',
    }),
    everyHours: setting.whole(1, 168, { default: 24, example: '24', help: 'hours between scheduled backups' }),
    hour: setting.whole(0, 23, {
      default: 1,
      example: '1',
      help: 'the hour of the day, UTC, at which scheduled backups begin',
    }),
    keep: setting.whole(1, 10_000, {
      default: 30,
      example: '30',
      help: 'how many scheduled backups are kept; older ones are removed',
    }),
    endpointUrl: setting.value(apiUrl, {
      must: api,
      example: 'https://s3.example.com',
      help: 'where s3:// of backups is, if not AWS',
      unset: 'AWS in AWS_REGION',
    }),
  },
  archive: together({
    to: setting.value(backupPlace, {
      required: true,
      must: 'an absolute path of a folder, or s3://bucket/prefix/',
      example: 's3://archive/kitlane/',
      help: 'the folder or s3://bucket/prefix/ for what leaves the database',
      unset: 'none',
    }),
    auditDays: setting.whole(AUDIT_DAYS, 36_500, {
      must: `a whole number from ${AUDIT_DAYS} (six years) to 36500`,
      example: '2557',
      help: 'age in days at which months of the audit are archived',
      unset: 'never',
    }),
  }),
}

const signIn = {
  secondFactor: setting.choice(secondFactorPolicies, {
    default: 'operators',
    must: 'operators or optional',
    help: 'operators: staff must have a second factor; optional: they may',
  }),
}

const clinical = {
  capillaryAsBlood: setting.boolean({
    default: false,
    help: '1 takes capillary blood, as of finger pricks, as blood',
  }),
  signedRangesOnly: setting.boolean({
    default: false,
    help: '1 judges live results only by ranges that a laboratory director signed',
  }),
  criticalEmail: setting.value(z.email(), {
    must: 'an e-mail address',
    example: 'oncall@example.com',
    help: 'is notified of critical results that no business acknowledged',
    unset: 'nobody',
  }),
  mllp: together({
    port: setting.whole(0, 65_535, {
      required: true,
      example: '2575',
      help: 'a port for HL7 v2 over MLLP; senders show a token in MSH-8',
    }),
    host: setting.text(/^[\w.:-]+$/, {
      must: 'a host name or an IP address',
      example: '10.0.0.5',
      help: 'the address for MLLP_PORT; without TLS a loopback or private one',
      default: '127.0.0.1',
    }),
    tlsCertificate: setting.text(/-----BEGIN CERTIFICATE-----/, {
      must: 'a certificate in PEM, with those between it and the root',
      example: '<the content of fullchain.pem>',
      help: 'the certificate for MLLP over TLS',
    }),
    tlsKey: setting.text(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, {
      must: 'the private key of that certificate in PEM',
      example: '<the content of privkey.pem>',
      help: 'the key of MLLP_TLS_CERTIFICATE',
      secret: true,
    }),
  }),
  labOrders: {
    at: setting.choice(['never', 'registration', 'receipt'], {
      default: 'never',
      must: 'never, registration or receipt',
      help: 'when the order of a kit is sent to a laboratory',
    }),
    hosts: setting.list(text.toLowerCase().regex(/^[\w.-]+(:\d+)?$/), {
      must: 'host names with their ports, separated by commas',
      example: 'hl7.example-lab.com:2575,orders.example-lab.com',
      help: 'hosts to which orders to laboratories may be sent',
      unset: 'none',
    }),
    folder: setting.value(text.refine(isAbsolute), {
      must: 'the absolute path of a folder',
      example: '/srv/kitlane/orders',
      help: 'a folder with one for each laboratory that fetches orders',
      unset: 'none',
    }),
  },
  labelsApiUrl: setting.value(webUrl, {
    must: 'an http or https URL',
    example: 'http://127.0.0.1:4011',
    help: 'another host instead of those of labels and warehouses, for tests',
    unset: 'none',
  }),
  labFolder: together({
    path: setting.value(text.refine(isAbsolute), {
      required: true,
      must: 'the absolute path of a folder',
      example: '/srv/kitlane/lab',
      help: 'a folder for files of laboratories, such as an SFTP server fills it',
      unset: 'none',
    }),
    token: setting.text(/^kl_oper_/, {
      required: true,
      must: 'a token of the operator',
      example: 'kl_oper_…',
      help: 'a token of the operator with the scope results, for the files of LAB_FOLDER_PATH',
      secret: true,
    }),
  }),
}

const oversight = {
  auditStream: setting.value(
    z.union([filePath.transform((file) => ({ file })), urlOf('http', 'https').transform((url) => ({ url }))]),
    {
      must: 'the file:// URL of a file, or the URL of a webhook',
      example: 'file:///var/log/kitlane/audit.jsonl',
      help: 'a file of JSON lines or a webhook that gets the audit',
      unset: 'none',
    },
  ),
  auditAnchors: setting.list(
    z.union([mailbox.pipe(z.email()).transform((email) => ({ email })), filePath.transform((file) => ({ file }))]),
    {
      default: [],
      must: 'mailto: addresses and file:// URLs, separated by commas',
      example: 'mailto:auditor@example.com,file:///mnt/elsewhere/anchors.txt',
      help: 'where the ends of the audit chains are written each night',
      unset: 'nowhere',
    },
  ),
  operatorWebhook: {
    url: setting.value(urlOf('http', 'https'), {
      must: 'an https URL',
      example: 'https://alerts.example.com/kitlane',
      help: 'the webhook that alarms are sent to',
      unset: 'none',
    }),
    secret: setting.text(WHSEC, {
      ...signing,
      help: 'signs what is sent to OPERATOR_WEBHOOK_URL and to a webhook in AUDIT_STREAM',
    }),
  },
  alarm: {
    email: setting.value(z.email(), {
      must: 'an e-mail address',
      example: 'security@example.com',
      help: 'the address that alarms are sent to',
      unset: 'none',
    }),
    refusals: setting.whole(1, 1_000_000, {
      default: noChannels.limits.refusals,
      example: '50',
      help: 'refusals of a caller or network in ten minutes that raise an alarm',
    }),
    people: setting.whole(1, 1_000_000, {
      default: noChannels.limits.people,
      example: '1000',
      help: 'people whose data a caller may read in an hour without an alarm',
    }),
  },
}

const monitoring = {
  logLevel: setting.choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    example: 'info',
    help: 'the log level: fatal, error, warn, info, debug, trace or silent',
  }),
  accessLog: setting.boolean({ default: false, help: '1 logs a line for each request, without paths and bodies' }),
  requestLogDays: setting.whole(0, MAX_REQUEST_LOG_DAYS, {
    default: REQUEST_LOG_DAYS,
    example: '3',
    help: 'days for which businesses can look up their API requests; 0: none',
  }),
  slowStatementMs: setting.whole(0, 999_999, {
    default: 1000,
    example: '500',
    help: 'log statements of the database that take longer, by name; 0: none',
  }),
  metrics: {
    port: setting.whole(0, 65_535, {
      example: '9464',
      help: 'a separate port for /metrics and /health',
      unset: 'PORT',
    }),
    host: setting.text(/^[\w.:-]+$/, {
      must: 'a host name or an IP address',
      example: '10.0.0.5',
      help: 'the address for METRICS_PORT',
      default: '127.0.0.1',
    }),
    token: setting.text(/^[\x21-\x7e]{16,200}$/, {
      must: '16 to 200 visible characters',
      example: '<what openssl rand -hex 24 prints>',
      help: 'the Bearer token for /metrics',
      unset: 'only this machine may read it',
      secret: true,
    }),
  },
  otelExporterOtlp: {
    endpoint: setting.value(webUrl, {
      must: 'the http or https URL of an OpenTelemetry collector',
      example: 'http://127.0.0.1:4318',
      help: 'sends traces and metrics to an OpenTelemetry collector by OTLP/HTTP',
      unset: 'none',
    }),
    headers: setting.value(headers, {
      default: {},
      unset: 'none',
      must: 'headers as name=value, separated by commas',
      example: 'api-key=secret',
      help: 'headers for the collector, such as its key',
      secret: true,
    }),
  },
  otelTracesSamplerArg: setting.value(text.regex(/^(0(\.\d+)?|1(\.0+)?)$/).transform(Number), {
    default: 1,
    must: 'a number from 0 to 1',
    example: '0.05',
    help: 'the share of requests that are traced',
  }),
}

/** Every setting, once, by what it is about. `kitlane start --help`, `.env`, `kitlane doctor` and docs/settings.md follow. */
export const sections = {
  'The service': service,
  Database: database,
  Keys: keys,
  Payments: payments,
  'Carriers and text messages': hooks,
  Files: files,
  'Backups and archives': backups,
  'Signing in': signIn,
  Results: clinical,
  'Audit and alarms': oversight,
  'Logs and monitoring': monitoring,
}

export const declared = {
  ...service,
  ...database,
  ...keys,
  ...payments,
  ...hooks,
  ...files,
  ...backups,
  ...signIn,
  ...clinical,
  ...oversight,
  ...monitoring,
}

/** What the settings say. Each process has one, and everything in it reads this one. */
export interface Settings extends Values<typeof declared> {}
/** Some settings, for tests and tools. */
export interface GivenSettings extends Given<typeof declared> {}

/** The usual settings, with these in their place. */
export const usualSettings = (given: GivenSettings = {}): Settings => settingsOf(declared, given)
