// The header of a message, a batch or a file, after a byte order mark as its bytes read in latin1.
const HEADER = /((?:^|[\r\n])(?:\xef\xbb\xbf)?[\t ]*)((?:FHS|BHS|MSH)([^\w\s])[^\r\n]*)/gi
/** Security: the eighth field of each of them. */
const SECURITY = 7

/**
 * A message without what stands in MSH-8 (FHS-8, BHS-8), and the first of these: the token. It is taken out, so that no file, queue
 * or log holds it.
 */
export function withoutToken(message: Buffer): { token: string | undefined; body: Buffer } {
  let token: string | undefined
  // As latin1 every byte is one character, whatever the character set of the message.
  const text = message.toString('latin1').replaceAll(HEADER, (_, before: string, line: string, separator: string) => {
    const fields = line.split(separator)
    const sent = fields[SECURITY]?.trim()
    if (!sent) return before + line
    token ??= sent
    return before + fields.with(SECURITY, '').join(separator)
  })
  return { token, body: Buffer.from(text, 'latin1') }
}
