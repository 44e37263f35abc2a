import type { ProcessContext } from '../../platform/database/process-context.ts'

const place = (laboratoryId: string) => `laboratories.secret/${laboratoryId}`

export const sealAuthorization = (context: ProcessContext, laboratoryId: string, header: string): Buffer =>
  context.seal(header, place(laboratoryId))

export const openAuthorization = (context: ProcessContext, laboratoryId: string, sealed: Buffer): string =>
  context.open(sealed, place(laboratoryId))
