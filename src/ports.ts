import type { BackupConfig } from './backup-settings.ts'
import type { Archives } from './domain/archives.ts'
import type { Backups } from './domain/backups.ts'
import { StartError } from './domain/errors.ts'
import { type FileStore, FileStoreError } from './domain/file-store.ts'
import type { Mailer } from './domain/mailer.ts'
import { noChannels, type OperatorChannels, type OperatorHook } from './domain/operator-channels.ts'
import type { Gateway } from './domain/payment-gateway.ts'
import type { Ports } from './domain/ports.ts'
import type { SecondFactorPolicy } from './domain/second-factor.ts'
import type { SmtpSettings } from './modules/emails/smtp.ts'
import { type CarrierSecrets, carrierHooks } from './modules/fulfilment/hooks.ts'
import { stripeHook } from './modules/orders/payment/stripe-hook.ts'
import { simulatedGateway } from './modules/payments/gateways/simulated.ts'
import { shopHook } from './modules/shops/hooks.ts'
import { twilioHook } from './modules/text-messages/hooks.ts'
import { createTwilio, type TwilioSettings } from './modules/text-messages/twilio.ts'
import { createOperatorHook } from './modules/webhooks/operator-hook.ts'
import { createArchives } from './platform/backup/archives.ts'
import { createBackups } from './platform/backup/backups.ts'
import { type BackupKey, keepBackupKey, maybeReadBackupKey, readBackupKey } from './platform/backup/key.ts'
import type { Clock } from './platform/clock.ts'
import { type SecretKey, secretKey } from './platform/crypto.ts'
import type { Issuer } from './platform/database/process-context.ts'
import type { Database, Mode } from './platform/database/tx.ts'
import type { Egress } from './platform/egress/client.ts'
import { fileFetcher } from './platform/egress/file.ts'
import { shopCaller } from './platform/egress/shop.ts'
import { folderStore } from './platform/files/folder-store.ts'
import { checkedStore } from './platform/files/open-store.ts'
import type { S3Options } from './platform/files/s3-store.ts'
import type { Hook } from './platform/http/hooks.ts'
import type { Logger } from './platform/log.ts'
import { VERSION } from './platform/package-root.ts'
import type { PortsOf } from './platform/ports/realm-ports.ts'
import type { KeyProvider } from './platform/sealing/key-provider.ts'
import type { KmsOptions } from './platform/sealing/kms-provider.ts'

/** Which other systems there are, and what is kept from them. Without any, cards are simulated. */
export interface Reach {
  /** 32 bytes; secrets that have to be read again are sealed with it. */
  encryptionKey?: Buffer
  /** The master key of before, until `keys rotate --master` has replaced it everywhere. */
  previousEncryptionKey?: Buffer | undefined
  /** Wraps the keys of realms at AWS KMS; `encryptionKey` is then the one of before. */
  kms?: Omit<KmsOptions, 'egress'> | undefined
  /** Under which others reach this service; default: where it listens. Links in e-mails and on boxes begin with it. */
  publicUrl?: string
  /** Proxies in front of this service, whose word on who calls counts. None by default. */
  trustedProxies?: string[]
  /** Without it e-mails are only kept. */
  smtp?: SmtpSettings
  /** Without it text messages are only kept. */
  twilio?: TwilioSettings | undefined
  stripe?: { secretKey: string; publishableKey?: string; webhookSecret?: string; apiUrl?: string }
  /** The company that runs this service, as receipts name it. */
  issuer?: Issuer | undefined
  carrierSecrets?: CarrierSecrets
  /** Where files are kept. Without it none can be. */
  files?: FilesPlace | undefined
  /** Where the kits and credits of each day are written. Default: nowhere. */
  numbersTo?: FilesPlace | undefined
  /** Hosts (`name` or `name:port`) that files may be fetched from. None by default. */
  uploadHosts?: string[]
  /** Lets webhooks go to this machine: for development and tests. */
  allowLoopbackWebhooks?: boolean
  /** Where the operator is told what happens. */
  oversight?: {
    webhook?: { url: string; secret: string }
    channels: Omit<OperatorChannels, 'hook'>
    /** Where the audit is sent to. */
    stream?: { file: string } | { url: string; secret: string }
  }
  /** Copies of the whole installation; `dataDir` has their key, unless the settings do, and the files. */
  backups?: BackupConfig & { dataDir: string }
  /** Who must have a second factor to work; default: the operator's staff. */
  secondFactor?: SecondFactorPolicy
  /** Whether live results are judged by signed ranges only; default: no. */
  signedRangesOnly?: boolean
  /** How long API requests can be looked up; default: 7 days. 0: none are kept. */
  requestLogDays?: number | undefined
}

/** A folder, or a bucket; `loopback` allows one on this machine. */
export type FilesPlace = { folder: string } | { s3: S3Options; loopback?: boolean }

export interface OpenedPorts {
  portsOf: PortsOf
  egress: Egress
  /** @throws StartError with files of another installation. A store that is away for now keeps nobody from ordering. */
  checkFiles(): Promise<void>
  /** The signed webhook of the operator with this address. */
  operatorHook(target: { url: string; secret: string }): OperatorHook
  /** Where the other systems tell us something. */
  hooks: Hook[]
}

/** Opens the ways to other systems, by mode: what works for the sandbox is never given a live one. */
export async function openPorts(options: {
  database: Database
  clock: Clock
  log: Logger
  reach: Reach
  egress: Egress
  /** The master key. */
  provider: KeyProvider
  /** Of the database, past any pooler. */
  url: string
}): Promise<OpenedPorts> {
  const { database, clock, log, reach, egress } = options
  const simulated = simulatedGateway({ database })
  const live = await liveGateway(reach, egress, { database, clock })
  const callShop = shopCaller(egress)
  const fetchFile = fileFetcher(egress, reach.uploadHosts ?? [])
  const store = await openStore(reach, egress)
  const fileStore = checkedStore(store, () => database)
  const operatorHook = ({ url, secret }: { url: string; secret: string }) =>
    createOperatorHook({ egress, clock, url, secret, allowLoopback: reach.allowLoopbackWebhooks ?? false })
  const { webhook, channels = noChannels } = reach.oversight ?? {}
  const operator: OperatorChannels = { ...channels, ...(webhook && { hook: operatorHook(webhook) }) }
  const byMode: Record<Mode, Ports> = {
    sandbox: { gateway: simulated, fetchFile, fileStore, callShop },
    live: {
      gateway: live?.gateway ?? simulated,
      mailer: await mailerOf(reach),
      ...(reach.twilio && { texter: createTwilio(reach.twilio, egress) }),
      operator,
      fetchFile,
      fileStore,
      callShop,
      ...(reach.numbersTo && { numbers: await storeAt(reach.numbersTo, egress) }),
      ...backupsOf({ ...options, files: store }),
    },
  }
  return {
    portsOf(mode) {
      const ports = byMode[mode]
      if (!ports) throw new Error(`unknown mode ${String(mode)}`)
      return ports
    },
    egress,
    checkFiles: () => checkAtStart(fileStore, log),
    operatorHook,
    hooks: [
      ...(live ? [live.hook] : []),
      ...carrierHooks(database, reach.carrierSecrets ?? {}),
      twilioHook(database, reach.twilio?.authToken),
      shopHook(database),
    ],
  }
}

async function checkAtStart(files: { check(): Promise<void> }, log: Logger): Promise<void> {
  try {
    await files.check()
  } catch (err) {
    if (err instanceof StartError) throw err
    log.warn({ err }, 'the files cannot be reached: uploads are refused until they can')
  }
}

const backupsOf = ({
  reach,
  egress,
  provider,
  url,
  log,
  files,
}: {
  reach: Reach
  egress: Egress
  provider: KeyProvider
  files: FileStore
  url: string
  log: Logger
}): { backups?: Backups; archives?: Archives } => {
  if (!reach.backups) return {}
  const { dataDir, s3, schedule, archive } = reach.backups
  const key = async () => {
    const found = await backupKeyOf(reach)
    if (found.isNew) log.warn(`a key for backups was made, ${dataDir}/backup.key: keep a copy of it elsewhere`)
    return found
  }
  return {
    backups: createBackups({
      url,
      key,
      provider,
      s3,
      egress,
      schedule,
      files,
      release: VERSION,
    }),
    archives: createArchives({ key, s3, egress, plan: archive }),
  }
}

/** The key that opens backups; none is made. */
export async function backupKeyToOpen(reach: Reach): Promise<BackupKey> {
  const found =
    reach.backups?.key === undefined
      ? await maybeReadBackupKey(reach.backups?.dataDir ?? '.')
      : await backupKeyOf(reach)
  if (found) return found
  throw new StartError(
    'The key of the backup is missing. Set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1…) that was in use when it was made, or put that backup.key into the data folder.',
  )
}

/** The key of the settings, or the one in the data folder, which is made if there is none. */
async function backupKeyOf({ backups }: Reach): Promise<BackupKey & { isNew: boolean }> {
  if (!backups) throw new Error('there are no settings of backups')
  if (backups.key === undefined) return keepBackupKey(backups.dataDir)
  const key = await readBackupKey(backups.key)
  if (key) return { ...key, isNew: false }
  throw new StartError(
    'BACKUP_KEY is no key of age: one of its characters is wrong. Copy it again; `age-keygen` makes keys.',
  )
}

/** Where the settings keep files. It does not check whose they are. */
export const openStore = async ({ files }: Reach, egress: Egress): Promise<FileStore> =>
  files ? storeAt(files, egress) : noStore

async function storeAt(place: FilesPlace, egress: Egress): Promise<FileStore> {
  if ('folder' in place) return folderStore(place.folder)
  // Loaded only where it is used: the SDK is large.
  const { s3Store } = await import('./platform/files/s3-store.ts')
  return s3Store({ ...place.s3, egress, loopback: place.loopback })
}

const none = async (): Promise<never> => {
  throw new FileStoreError('no place for files is set')
}
const noStore: FileStore = {
  ...{ where: 'nowhere', read: none, write: none, create: none, delete: none },
  async *list() {},
}

/** The master keys that this process was given, the newest first. */
export const masterKeysOf = ({ encryptionKey, previousEncryptionKey }: Reach): SecretKey[] =>
  [encryptionKey, previousEncryptionKey].filter((bytes) => bytes !== undefined).map(secretKey)

async function liveGateway(
  { stripe }: Reach,
  egress: Egress,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ gateway: Gateway; hook: Hook } | undefined> {
  if (!stripe) return undefined
  // Loaded only where it is used: the SDK is large.
  const { createStripe } = await import('./modules/payments/gateways/stripe.ts')
  const gateway = createStripe({ ...stripe, egress })
  return { gateway, hook: stripeHook(gateway, database, clock) }
}

async function mailerOf({ smtp }: Reach): Promise<Mailer | undefined> {
  if (!smtp) return undefined
  const { createSmtpMailer } = await import('./modules/emails/smtp.ts')
  return createSmtpMailer(smtp)
}
