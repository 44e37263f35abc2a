import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface AwsCaller {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Checks AWS Signature Version 4, computed again from the request. */
export function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer, caller: AwsCaller): boolean {
  const given = /Credential=(\S+?)\/(\d{8})\/(\S+?)\/(\w+)\/aws4_request, SignedHeaders=(\S+?), Signature=(\w+)/.exec(
    headers.authorization ?? '',
  )
  if (!given) return false
  const [, id, day = '', region = '', service = '', names = '', signature] = given
  const [path = '', query = ''] = url.split('?')
  const list = names.split(';')
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...list.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (made, part) => hmac(made, part),
    `AWS4${caller.secretAccessKey}`,
  )
  const expected = [id, region, service, hmac(key, toSign).toString('hex')]
  return expected.join(' ') === [caller.accessKeyId, caller.region, caller.service, signature].join(' ')
}
