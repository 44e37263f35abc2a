import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { ErrorBody } from './error-body.ts'

export const FHIR_TYPE = 'application/fhir+json'

/** The shape of a refusal below /fhir. */
export const OperationOutcome = z
  .object({
    resourceType: z.literal('OperationOutcome').describe('The type of the resource.'),
    issue: z
      .array(
        z.object({
          severity: z.literal('error').describe('How bad it is.'),
          code: z.string().describe("FHIR's word for the kind of problem."),
          details: z
            .object({
              coding: z
                .array(
                  z.object({
                    system: z.literal('urn:kitlane:error').describe('The system of the code.'),
                    code: z.string().describe('Our error code.'),
                  }),
                )
                .describe('The code of the refusal: rely on it.'),
              text: z.string().describe('What is wrong.'),
            })
            .describe('What happened.'),
        }),
      )
      .describe('All problems.'),
  })
  .meta({ id: 'FhirOperationOutcome', description: 'A refusal: http://hl7.org/fhir/R4/operationoutcome.html' })

// http://hl7.org/fhir/R4/valueset-issue-type.html
const issueTypes: Record<number, string> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  409: 'conflict',
  413: 'too-long',
  415: 'not-supported',
  429: 'throttled',
  503: 'transient',
}

function outcomeOf(
  status: number,
  { code, message, details }: z.infer<typeof ErrorBody>,
): z.infer<typeof OperationOutcome> {
  const texts = details?.map((one) => (one.path === undefined ? one.message : `${one.path}: ${one.message}`)) ?? [
    message,
  ]
  return {
    resourceType: 'OperationOutcome',
    issue: texts.map((text) => ({
      severity: 'error',
      code: issueTypes[status] ?? 'exception',
      details: { coding: [{ system: 'urn:kitlane:error', code }], text },
    })),
  }
}

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type') ?? '').startsWith('application/json')

/** Sends JSON as FHIR's media type, and each refusal, also one of the edge, as an OperationOutcome. */
export function answerInFhir(api: FastifyInstance): void {
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isJson(reply)) return done(null, payload)
    reply.header('content-type', `${FHIR_TYPE}; fhirVersion=4.0; charset=utf-8`)
    if (reply.statusCode < 400) return done(null, payload)
    const outcome = JSON.stringify(outcomeOf(reply.statusCode, JSON.parse(payload)))
    reply.removeHeader('content-length')
    done(null, outcome)
  })
}
