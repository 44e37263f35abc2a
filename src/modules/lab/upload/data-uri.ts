import { AppError } from '../../../domain/errors.ts'
import { refuse } from '../../../platform/http/validate.ts'
import { MAX_FILE_BYTES } from '../schema.ts'

export interface FileContent {
  mediaType: string
  content: Buffer
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w.+-]+)*;base64,/

/** The bytes of a data URI. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE */
export function decodeDataUri(uri: string): FileContent {
  const head = DATA_URI.exec(uri.slice(0, 300))
  if (!head) refuse([{ message: 'Send data:<mime>;base64,<content>', path: 'fileBlob' }])
  const text = uri.slice(head[0].length)
  const content = Buffer.from(text, 'base64')
  if (!isBase64(text, content.length)) refuse([{ message: 'The content is not base64', path: 'fileBlob' }])
  if (content.length > MAX_FILE_BYTES) throw new AppError('PAYLOAD_TOO_LARGE', 'A file may have at most 25 MiB')
  if (content.length === 0) refuse([{ message: 'The file is empty', path: 'fileBlob' }])
  return { mediaType: head[1] ?? 'application/octet-stream', content }
}

/** Node skips characters that are not base64 and accepts `-` and `_`: compare the lengths. */
function isBase64(text: string, decodedLength: number): boolean {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return text.length % 4 === 0 && decodedLength === (text.length / 4) * 3 - padding && !/[-_]/.test(text)
}
