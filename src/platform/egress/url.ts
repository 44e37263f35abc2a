import { isIP } from 'node:net'
import { isForbidden, isLoopback } from './addresses.ts'

/**
 * `public`: any public host. Otherwise the hosts that the operator configured, each as in `URL.host` (with the port unless
 * it is 443); `loopback` allows them on this machine, without https.
 */
export type Policy = 'public' | { hosts: string[]; loopback?: boolean }

export interface UrlRules {
  /** Allows `public` to call http://localhost, 127.0.0.1 and [::1] on any port. */
  allowLoopback: boolean
  /** Ports for https to other hosts; 443 and 8443 by default. */
  allowedPorts?: readonly number[]
}

const DEFAULT_PORTS = [443, 8443]
const LONGEST = 2048
/** Names that resolve in the local network, not on the internet. */
const localName = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/

export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Names of this machine (RFC 6761) and loopback addresses. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostname)
}

/** Why a URL may not be called, as a sentence for the person who entered it; undefined if it may. The addresses are checked at each call. */
export function checkUrl(text: string, rules: UrlRules, policy: Policy = 'public'): string | undefined {
  if (text.length > LONGEST) return `The URL must not be longer than ${LONGEST} characters`
  if (/[^\x21-\x7e]|\\/.test(text)) return 'The URL must be plain ASCII without spaces and backslashes'
  if (!URL.canParse(text)) return 'The URL is not valid'
  const url = new URL(text)
  if (url.username || url.password || /^\w+:\/*[^/?#]*@/.test(text)) return 'The URL must not hold a user or a password'
  if (url.hostname.endsWith('.')) return 'The host must not end with a dot'
  return policy === 'public' ? checkPublic(url, rules) : checkNamed(url, policy)
}

function checkPublic(url: URL, { allowLoopback, allowedPorts = DEFAULT_PORTS }: UrlRules): string | undefined {
  const hostname = hostnameOf(url)
  const loopback = isLoopbackHost(hostname)
  if (loopback && allowLoopback) return isWeb(url) ? undefined : 'The URL must begin with https:// or http://'
  if (loopback) return 'The host must be a public one: this machine is called only with ALLOW_LOOPBACK_WEBHOOKS=1'
  if (url.protocol !== 'https:') return 'The URL must begin with https://'
  const address = isIP(hostname) !== 0
  if (address && isForbidden(hostname)) return 'The host must be a public one'
  if (!address && (!hostname.includes('.') || localName.test(hostname))) return 'The host must be a public one'
  const port = Number(url.port || 443)
  return allowedPorts.includes(port) ? undefined : `The port must be one of ${allowedPorts.join(', ')}`
}

function checkNamed(url: URL, { hosts, loopback }: Exclude<Policy, 'public'>): string | undefined {
  if (!hosts.includes(url.host)) return 'The host is not one that is allowed'
  return url.protocol === 'https:' || (loopback && isWeb(url)) ? undefined : 'The URL must begin with https://'
}

const isWeb = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'http:'
