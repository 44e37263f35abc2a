import type { Page, ScimGroupRow, ScimUserRow } from './queries.ts'
import { GROUP_SCHEMA, PAGE, type Paging, USER_SCHEMA } from './rules.ts'

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const meta = (
  resourceType: string,
  { createdAt, updatedAt }: { createdAt: Date; updatedAt: Date },
  location: string,
) => ({
  resourceType,
  location,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
})

/** A user as RFC 7643, 4.1, has it. */
export function shownUser(row: ScimUserRow, base: string) {
  const { id, externalId, userName, email, isActive, groups } = row
  const { displayName, givenName, familyName } = row.profile
  const name = {
    ...(givenName !== null && { givenName }),
    ...(familyName !== null && { familyName }),
  }
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(Object.keys(name).length > 0 && { name }),
    ...(displayName !== null && { displayName }),
    active: isActive,
    emails: [{ value: email, type: 'work', primary: true }],
    groups: groups.map((group) => ({
      value: group.id,
      display: group.displayName,
      type: 'direct',
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: meta('User', row, `${base}/Users/${id}`),
  }
}

/** A group as RFC 7643, 4.2, has it. */
export function shownGroup(row: ScimGroupRow, base: string) {
  const { id, externalId, displayName, members } = row
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    members: members.map((one) => ({
      value: one.id,
      display: one.userName,
      type: 'User',
      $ref: `${base}/Users/${one.id}`,
    })),
    meta: meta('Group', row, `${base}/Groups/${id}`),
  }
}

export const shownList = <Row>({ rows, total }: Page<Row>, { startIndex }: Paging, shown: (row: Row) => unknown) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: rows.length,
  Resources: rows.map(shown),
})

const listOf = (resources: readonly unknown[]) =>
  shownList({ rows: [...resources], total: resources.length }, { startIndex: 1, count: resources.length }, (one) => one)

/** What this service can do (RFC 7643, 5). */
export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE.max },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of one single sign-on, as its administrator made it.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceType = (base: string, name: 'User' | 'Group', schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

const resourceTypes = (base: string) => [
  resourceType(base, 'User', USER_SCHEMA),
  resourceType(base, 'Group', GROUP_SCHEMA),
]

interface Attribute {
  name: string
  type?: 'string' | 'boolean' | 'complex'
  required?: boolean
  multiValued?: boolean
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  subAttributes?: readonly Attribute[]
}

const attribute = ({ subAttributes, ...given }: Attribute): object => ({
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...given,
  ...(subAttributes && { subAttributes: subAttributes.map(attribute) }),
})

const schema = (base: string, id: string, name: string, attributes: readonly Attribute[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes: attributes.map(attribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

const schemas = (base: string) => [
  schema(base, USER_SCHEMA, 'User', [
    { name: 'userName', required: true, uniqueness: 'server' },
    { name: 'name', type: 'complex', subAttributes: [{ name: 'givenName' }, { name: 'familyName' }] },
    { name: 'displayName' },
    { name: 'active', type: 'boolean' },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      subAttributes: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        { name: 'value', mutability: 'readOnly' },
        { name: 'display', mutability: 'readOnly' },
      ],
    },
  ]),
  schema(base, GROUP_SCHEMA, 'Group', [
    { name: 'displayName', required: true, uniqueness: 'server' },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', mutability: 'immutable' },
        { name: 'display', mutability: 'readOnly' },
      ],
    },
  ]),
]

/** The documents that describe the service, by their path. */
export function describedAt(
  path: 'Schemas' | 'ResourceTypes',
  id: string | undefined,
  base: string,
): object | undefined {
  const all = path === 'Schemas' ? schemas(base) : resourceTypes(base)
  return id === undefined ? listOf(all) : all.find((one) => one.id === id)
}
