import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import type { ParameterName } from './parameters.ts'

/** A resource of FHIR R4. Its fields are those of the standard. */
export interface Resource {
  resourceType: string
  id: string
  [field: string]: unknown
}

const id = z.string().describe('The ID of the resource.')

/** The shape of a resource in the OpenAPI document, which names the standard and does not repeat it. */
export const resourceOf = <T extends string>(type: T) =>
  z
    .looseObject({ resourceType: z.literal(type).describe('The type of the resource.'), id })
    .meta({ id: `Fhir${type}`, description: `A ${type} of FHIR R4: http://hl7.org/fhir/R4/${type.toLowerCase()}.html` })

export const Bundle = z
  .object({
    resourceType: z.literal('Bundle').describe('The type of the resource.'),
    type: z.literal('searchset').describe('The kind of bundle.'),
    link: z
      .array(
        z.object({
          relation: z.enum(['self', 'next']).describe('self: this page. next: the one after it.'),
          url: z.string().describe('The address of the page.'),
        }),
      )
      .describe('The pages. Without `next` this is the last one.'),
    entry: z
      .array(
        z.object({
          fullUrl: z.string().optional().describe('The address of the resource.'),
          resource: z
            .looseObject({ resourceType: z.string().describe('The type of the resource.'), id: id.optional() })
            .describe('The resource.'),
          search: z
            .object({ mode: z.enum(['match', 'outcome']).describe('outcome: a word about the search, no match.') })
            .describe('Why it is here.'),
        }),
      )
      .optional()
      .describe('What was found; absent if nothing was.'),
  })
  .meta({ id: 'FhirBundle', description: 'A page of what was found: http://hl7.org/fhir/R4/bundle.html' })
export type Bundle = z.infer<typeof Bundle>

export const resourceParams = z.object({ id: anyText(255).describe('The ID of the resource.') })

/** The values of each parameter as they were sent. */
export type SearchParameters = { [name in ParameterName]?: string[] | undefined }
export interface Search extends SearchParameters {
  _count: number
  _cursor?: string | undefined
}
