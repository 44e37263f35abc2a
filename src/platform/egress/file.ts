import { AppError, ProviderUnknown } from '../../domain/errors.ts'
import type { Egress } from './client.ts'
import { type EgressCode, toEgressError } from './errors.ts'

const HOST = 'host of the file'
const TIMEOUT_MS = 15_000
const AWAY: ReadonlySet<EgressCode> = new Set(['DNS', 'CONNECT', 'TIMEOUT', 'RESET', 'CLOSED', 'NOT_SENT'])

const refused = (message: string, cause?: unknown) =>
  new AppError('VALIDATION_FAILED', `s3FileUrl: ${message}`, { details: [{ message, path: 's3FileUrl' }], cause })

/** Fetches files by URL, from the configured hosts only. */
export function fileFetcher(egress: Egress, hosts: string[]) {
  return async (url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }> => {
    if (hosts.length === 0) throw refused('The operator allows no host to fetch files from; send fileBlob')
    const policy = { hosts, loopback: hosts.some((host) => /^(localhost|127\.|\[::1\])/.test(host)) }
    try {
      const answer = await egress.request({
        url,
        method: 'GET',
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: maxBytes,
        policy,
      })
      if (answer.status >= 500 || answer.status === 429)
        throw new ProviderUnknown(HOST, `the host of a file answered ${answer.status}`)
      if (answer.status !== 200) throw refused(`The file's host answered ${answer.status}`)
      if (answer.truncated) throw new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than this route accepts')
      return { mediaType: answer.headers['content-type'] ?? 'application/octet-stream', content: answer.body }
    } catch (err) {
      if (err instanceof AppError || err instanceof ProviderUnknown) throw err
      const { code } = toEgressError(err)
      if (AWAY.has(code)) throw new ProviderUnknown(HOST, 'the host of a file did not answer', { cause: err })
      const isForbidden = code === 'REFUSED_URL' || code === 'REFUSED_ADDRESS'
      throw refused(isForbidden ? 'Files are not fetched from this host' : 'The file could not be fetched', err)
    }
  }
}
