import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { apiUrl } from './key-settings.ts'
import type { FilesPlace } from './ports.ts'

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/

const place = z
  .string()
  .refine((text) => S3_URL.test(text) || isAbsolute(text) || (text.startsWith('file:///') && URL.canParse(text)))

/** Where files are kept; config.ts includes these settings. */
export const filesSettings = {
  FILES_URL: {
    schema: place,
    must: 's3://<bucket>/<prefix>, or the absolute path of a folder',
    example: 's3://kitlane-files/production',
    help: 'where files are kept (default: files in the data folder); the same for all nodes',
  },
  NUMBERS_TO: {
    schema: place,
    must: 's3://<bucket>/<prefix>, or the absolute path of a folder',
    example: 's3://kitlane-numbers/production',
    help: 'where the kits and credits of each day are written at night (default: nowhere)',
  },
  FILES_ENDPOINT_URL: {
    schema: apiUrl,
    must: 'an https URL without a path, or an http one of this machine',
    example: 'https://s3.example.com',
    help: 'the address of an object storage other than AWS S3',
  },
  FILES_REGION: {
    schema: z.string().regex(/^[\w-]+$/),
    must: 'the name of a region',
    example: 'eu-central-1',
    help: 'the region of the bucket (default: AWS_REGION)',
  },
  FILES_PATH_STYLE: {
    schema: z.enum(['0', '1']).transform((text) => text === '1'),
    must: '1 or 0',
    example: '0',
    help: '1: the bucket is in the path of URLs (default: 1 with FILES_ENDPOINT_URL, else 0)',
  },
  FILES_ACCESS_KEY_ID: {
    schema: z.string().min(1),
    must: 'the ID of an access key',
    example: 'AKIA…',
    help: 'the access key of the bucket (default: AWS_ACCESS_KEY_ID)',
  },
  FILES_SECRET_ACCESS_KEY: {
    schema: z.string().min(1),
    must: 'the secret of the access key',
    example: '<the secret>',
    help: 'its secret (default: AWS_SECRET_ACCESS_KEY)',
  },
}

type Settings = typeof filesSettings
type Read = <T>(
  name: keyof Settings,
  setting: { schema: z.ZodType<T>; must: string; example: string; help: string },
) => T | undefined

interface Surroundings {
  dataDir: string
  /** Where AWS's own tools find credentials. */
  env: Record<string, string | undefined>
  problems: string[]
}

/** Reads where files are kept, and where numbers go; what is missing becomes a problem in words. */
export function readFiles(
  read: Read,
  { dataDir, env, problems }: Surroundings,
): { files: FilesPlace; numbersTo: FilesPlace | undefined } {
  const settings = filesSettings
  const endpoint = read('FILES_ENDPOINT_URL', settings.FILES_ENDPOINT_URL)
  const pathStyle = read('FILES_PATH_STYLE', settings.FILES_PATH_STYLE) ?? endpoint !== undefined
  const { region, credentials } = readSigning(read, env)
  const placeOf = (name: 'FILES_URL' | 'NUMBERS_TO'): FilesPlace | undefined => {
    const url = read(name, settings[name])
    if (url === undefined) return undefined
    const bucket = S3_URL.exec(url)
    if (!bucket) return { folder: url.startsWith('file:') ? fileURLToPath(url) : url }
    if (!region || !credentials) {
      problems.push(
        `${name} needs FILES_REGION, FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY, or those of AWS, beside it. For example: FILES_REGION=eu-central-1`,
      )
      return undefined
    }
    const [, bucketName = '', path = ''] = bucket
    const prefix = path.replace(/\/+$/, '')
    return {
      s3: { bucket: bucketName, prefix: prefix && `${prefix}/`, region, endpoint, pathStyle, credentials },
      loopback: endpoint?.startsWith('http:') ?? false,
    }
  }
  return { files: placeOf('FILES_URL') ?? { folder: join(dataDir, 'files') }, numbersTo: placeOf('NUMBERS_TO') }
}

function readSigning(read: Read, env: Surroundings['env']) {
  const region = read('FILES_REGION', filesSettings.FILES_REGION) ?? env.AWS_REGION
  const ownId = read('FILES_ACCESS_KEY_ID', filesSettings.FILES_ACCESS_KEY_ID)
  const accessKeyId = ownId ?? env.AWS_ACCESS_KEY_ID
  const secretAccessKey =
    read('FILES_SECRET_ACCESS_KEY', filesSettings.FILES_SECRET_ACCESS_KEY) ?? env.AWS_SECRET_ACCESS_KEY
  // A key of one's own does not go with the session of another.
  const sessionToken = ownId ? undefined : env.AWS_SESSION_TOKEN
  return {
    region,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined,
  }
}
