interface Input {
  query?: object
  path?: object
  body?: object
}

/** A route as openapi-typescript writes it. No interface: only a type has the index signature that openapi-fetch asks for. */
export type Operation<Answer, In extends Input = Record<never, never>> = {
  parameters: {
    query?: In extends { query: infer Query } ? Query : never
    header?: never
    cookie?: never
  } & (In extends { path: infer Path } ? { path: Path } : { path?: never })
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } }
} & (In extends { body: infer Body }
  ? { requestBody: { content: { 'application/json': Body } } }
  : { requestBody?: never })
