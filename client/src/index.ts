export {
  type Answer,
  type ClientOptions,
  type components,
  createClient,
  type Init,
  type KitlaneClient,
  type Method,
  type PathWith,
  type paths,
  type Query,
} from './client.ts'
export { type ErrorCode, type ErrorDetail, KitlaneError } from './errors.ts'
export type { EventOf, EventType, WebhookEvent } from './events.ts'
export { Kitlane, type KitlaneOptions } from './kitlane.ts'
export type { List } from './list.ts'
export type { Resources } from './resources.gen.ts'
export type { AnswerOf, BodyOf, CallOptions, ListOf, QueryOf, WaitOptions } from './shapes.ts'
export type { ReceivedAnswer, SentRequest, TransportOptions } from './transport.ts'
export { waitFor } from './waiting.ts'
export { Webhook, WebhookError, type WebhookOptions } from './webhook.ts'
