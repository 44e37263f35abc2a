import { createClient, type KitlaneClient } from '@kitlane/client'
import { locale } from '../language/t.ts'
import { asProblem, Problem, problemOf } from './problem.ts'
import { askForProof } from './proof.ts'
import { ask, isAborted } from './reachability.ts'

/** Marks requests that a page sends by itself: they do not keep the session alive. */
export const BACKGROUND = { 'Kitlane-Background': '1' }

let lastUseAt = Date.now()

/** When this session last sent a request of its own, in milliseconds; the idle time counts from there. */
export function lastUse(): number {
  return lastUseAt
}

const clients = new Map<string, KitlaneClient>()

/** The typed client for one realm (`<businessId>/live`), or for the operator's and the session's routes. Throws `Problem`. */
export function clientOf(realm?: string): KitlaneClient {
  const key = realm ?? ''
  const client = clients.get(key) ?? createClient({ baseUrl: location.origin, headers: headersOf(realm), fetch: send })
  clients.set(key, client)
  return client
}

/** For answers other than JSON: CSV, PDF and files. Throws `Problem` too. */
export async function fetchRaw(realm: string | undefined, path: string, init: RequestInit = {}): Promise<Response> {
  return await send(
    new Request(new URL(path, location.origin), {
      ...init,
      headers: { ...headersOf(realm), ...Object.fromEntries(new Headers(init.headers)) },
    }),
  )
}

function headersOf(realm: string | undefined): Record<string, string> {
  return { 'Accept-Language': locale(), ...(realm !== undefined && { 'Kitlane-Realm': realm }) }
}

/** Sends a request; if the service wants a proof first, asks the person for it and sends the request again. */
async function send(request: Request): Promise<Response> {
  // A body can be read once.
  const again = request.clone()
  try {
    return await sendOnce(request)
  } catch (error) {
    const wantsProof = error instanceof Problem && error.code === 'REAUTHENTICATION_REQUIRED'
    if (!wantsProof || !(await askForProof(error.extra.by))) throw error
  }
  return await sendOnce(again)
}

async function sendOnce(request: Request): Promise<Response> {
  const response = await ask(request).catch((error: unknown) => {
    // The hooks promise a Problem: a bare TypeError once broke the page of a new order.
    throw isAborted(error) ? error : asProblem(error)
  })
  if (!request.headers.has('Kitlane-Background')) lastUseAt = Date.now()
  if (!response.ok) throw await problemOf(response)
  return response
}
