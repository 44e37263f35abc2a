import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { CustomFetch } from 'openid-client'
import { AppError } from '../../../domain/errors.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import { EgressError } from '../../../platform/egress/errors.ts'
import { type Claims, completed, groupsOf, ownTenantIn } from './claims.ts'

/** How Kitlane is known at an identity provider. */
export interface ProviderClient {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  groupClaim: string
}

/** What is kept from the beginning of a sign-in to its end. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
}

const TIMEOUT_SECONDS = 10
const LIMITS = { policy: 'public', timeoutMs: TIMEOUT_SECONDS * 1000, maxResponseBytes: 512 * 1024 } as const

const unavailable = (cause: unknown) =>
  new AppError(
    'PROVIDER_UNAVAILABLE',
    sentence('The identity provider cannot be reached: try again, then ask your administrator'),
    { cause },
  )

const failed = (message: Sentence) => (cause: unknown) => new AppError('SSO_FAILED', message, { cause })
const notConfirmed = failed(sentence('The identity provider did not confirm this sign-in: start again'))
const wrongSettings = failed(
  sentence(
    'The identity provider does not accept the settings of this single sign-on: ask its administrator to compare the client, the redirect URI and the scopes',
  ),
)

/**
 * What an error means: of an answer or of the token endpoint (RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core, 3.1.2.6), or
 * of a check of the ID token.
 */
const meanings = new Map<unknown, (cause: unknown) => AppError>([
  ['server_error', unavailable],
  ['temporarily_unavailable', unavailable],
  [
    'access_denied',
    failed(
      sentence(
        'The sign-in was refused or cancelled at the identity provider: start again, or ask its administrator to assign this application to you',
      ),
    ),
  ],
  ['invalid_request', wrongSettings],
  ['unauthorized_client', wrongSettings],
  ['unsupported_response_type', wrongSettings],
  ['invalid_scope', wrongSettings],
  [
    'invalid_client',
    failed(
      sentence(
        'The identity provider does not accept the client ID or the client secret: ask your administrator to enter them again, since a secret may have expired',
      ),
    ),
  ],
  [
    'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    failed(
      sentence(
        'The identity provider’s answer has expired or is of a later time: start again, then ask the operator to compare the clocks',
      ),
    ),
  ],
])

const refusedIssuer = (reason: string, message: string) => new AppError('SSO_REFUSED', message, { extra: { reason } })

/** A short code of what went wrong, for the audit: nothing that a provider or a caller wrote at length. */
export function reasonOf({ cause, extra }: AppError): string {
  const { error, code, name } = (cause ?? {}) as { error?: unknown; code?: unknown; name?: unknown }
  const reason = [extra.reason, error, code, name].find((one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one))
  return typeof reason === 'string' ? reason : 'unknown'
}

const library = () => import('openid-client')

async function discover({ issuer, clientId, clientSecret }: ProviderClient, egress: Egress) {
  const oidc = await library()
  const viaEgress = egress.fetchWith(LIMITS)
  const fetch: CustomFetch = (url, { body, headers, method, signal }) =>
    viaEgress(url, {
      headers,
      method,
      ...(signal && { signal }),
      body: body instanceof URLSearchParams ? body.toString() : (body as string | undefined),
    })
  // Egress decides which URLs may be http: those of this machine, in development and tests.
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
  const options = { execute, timeout: TIMEOUT_SECONDS, [oidc.customFetch]: fetch }
  // Asked by its address, so that a slash at the end of the issuer may be there or not.
  const document = new URL(`${withoutSlash(issuer)}/.well-known/openid-configuration`)
  const found = await oidc.discovery(document, clientId, clientSecret, undefined, options)
  const { supportsPKCE: _, ...metadata } = found.serverMetadata()
  const named = ownTenantIn(metadata.issuer, issuer)
  if (withoutSlash(named) !== withoutSlash(issuer)) throw otherIssuer(named)
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret)
  const configuration = new oidc.Configuration({ ...metadata, issuer: named }, clientId, clientSecret, authentication)
  configuration[oidc.customFetch] = fetch
  configuration.timeout = TIMEOUT_SECONDS
  for (const one of execute) one(configuration)
  // Checks the signature of the ID token too, which TLS alone would only imply.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** Some issuers stand for many companies, and an address of a tenant has another one: only the one that was named is meant. */
function otherIssuer(named: string): AppError {
  if (named.includes('{') || !URL.canParse(named)) {
    return refusedIssuer('issuer_shared', 'The issuer of this single sign-on stands for many companies: enter your own')
  }
  const { href } = new URL(named)
  return refusedIssuer('issuer_other', `The identity provider calls itself ${href}: enter that as the issuer`)
}

const discovered = (provider: ProviderClient, egress: Egress) =>
  discover(provider, egress).catch((err: unknown) => {
    if (err instanceof AppError) throw err
    const { cause } = err as Error
    const isNone = cause instanceof Response && cause.status >= 400 && cause.status < 500 && cause.status !== 429
    throw isNone
      ? refusedIssuer(
          'issuer_unknown',
          'There is no OpenID provider at the issuer: compare it with the address of the provider’s discovery document',
        )
      : unavailable(err)
  })

/** Where a browser goes to sign in, and what its answer must match. @throws PROVIDER_UNAVAILABLE, SSO_REFUSED */
export async function beginAtProvider(
  provider: ProviderClient,
  egress: Egress,
): Promise<{ url: string; checks: Checks }> {
  const [oidc, configuration] = await Promise.all([library(), discovered(provider, egress)])
  const checks = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  }
  const asksGroups = configuration.serverMetadata().scopes_supported?.includes('groups')
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: provider.redirectUri,
    scope: asksGroups ? 'openid email profile groups' : 'openid email profile',
    response_type: 'code',
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
    state: checks.state,
    nonce: checks.nonce,
  })
  return { url: url.href, checks }
}

/**
 * What the provider says of the person who came back with this query: the ID token after all its checks, completed by the
 * userinfo endpoint where it lacks something. @throws PROVIDER_UNAVAILABLE, SSO_FAILED, SSO_REFUSED
 */
export async function readAnswer(
  provider: ProviderClient,
  egress: Egress,
  { query, checks }: { query: string; checks: Checks },
): Promise<Claims> {
  const [oidc, configuration] = await Promise.all([library(), discovered(provider, egress)])
  const url = new URL(provider.redirectUri)
  url.search = query
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    if (!/^\P{Cc}+$/u.test(claims.sub)) throw new Error('no subject')
    // OpenID Connect Core, 3.1.3.7: also where there is only one audience.
    if (claims.azp !== undefined && claims.azp !== provider.clientId) throw new Error('another authorised party')
    const isVouched = claims.email !== undefined && claims.email_verified !== undefined
    const isWhole = isVouched && groupsOf(claims, provider.groupClaim) !== undefined
    if (isWhole || !configuration.serverMetadata().userinfo_endpoint) return claims
    return completed(claims, await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub))
  } catch (err) {
    const { cause } = err as Error
    if (err instanceof EgressError || cause instanceof EgressError) throw unavailable(err)
    const { error, code } = err as { error?: unknown; code?: unknown }
    throw (meanings.get(error ?? code) ?? notConfirmed)(err)
  }
}
