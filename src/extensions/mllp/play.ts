import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Playing } from '../../modules/define-module.ts'
import { askOwnPort } from '../../platform/egress/ask-port.ts'
import { framed, framesUpTo } from '../../platform/mllp-frames.ts'
import type { Settings } from '../../settings.ts'

const TIMEOUT_MS = 10_000
const READ_BYTES = 64 * 1024
const CONTROL_ID = 'doctor'
// Without a token: the acknowledgement refuses it, and nothing is kept.
const MESSAGE = `MSH|^~\\&|DOCTOR||||||ORU^R01|${CONTROL_ID}|P|2.5.1\r`
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Sends the listener a message as a laboratory does, and reads its acknowledgement. */
export async function* playMllp({ settings }: Playing): AsyncGenerator<Finding> {
  const { mllp } = settings
  if (!mllp) {
    yield warn('MLLP', 'Off: MLLP_PORT is not set.', 'Set MLLP_PORT if a laboratory sends over MLLP.')
    return
  }
  const answer = await acknowledgementOf(mllp).catch((error: NodeJS.ErrnoException) => error)
  if (answer instanceof Error)
    yield fail(
      'MLLP',
      `The listener gives no acknowledgement (${'code' in answer ? answer.code : 'TIMEOUT'}).`,
      'Start the service with the MLLP_PORT, MLLP_HOST and MLLP_TLS_… of these settings, on this machine.',
    )
  else if (new RegExp(`\\rMSA\\|A[ER]\\|${CONTROL_ID}\\b`).test(answer))
    yield ok('MLLP', 'The listener acknowledges a message, and refuses it since it has no token in MSH-8.')
  else
    yield fail(
      'MLLP',
      'Something else than Kitlane answers at MLLP_PORT.',
      'Choose another port, for example MLLP_PORT=2576.',
    )
}

function acknowledgementOf({ port, host, tlsCertificate }: NonNullable<Settings['mllp']>): Promise<string> {
  const frames = framesUpTo(READ_BYTES)
  return askOwnPort(
    {
      port,
      host: EVERY_ADDRESS[host] ?? host,
      isTls: tlsCertificate !== undefined,
      message: framed(MESSAGE),
      timeoutMs: TIMEOUT_MS,
    },
    (bytes) => frames.read(bytes)[0]?.toString(),
  )
}
