import { useRead, useWrite } from '../../../api/hooks.ts'
import type { OperatorSsoConnection } from '../../../api/operator-shapes.ts'
import type { SsoConnection } from '../../../api/shapes.ts'
import { useApi } from '../../../app/realm.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { SettingsTabs } from '../../../frame/settings-tabs.tsx'
import { t } from '../../../language/t.ts'
import type { ConnectionBody } from './connection-draft.ts'
import { ConnectionList } from './connection-list.tsx'
import { Domains } from './domains.tsx'

type Role = (SsoConnection | OperatorSsoConnection)['groupRoles'][number]['role']
const rolesOf: Record<ReturnType<typeof useApi>, readonly Role[]> = {
  '/api/v1': ['business-admin', 'business-viewer'],
  '/operator/v1': ['operator-admin', 'fulfilment', 'lab', 'reviewer', 'provider'],
}
type Body = Omit<ConnectionBody, 'groupRoles'> & { clientSecret: string } & (
    | Pick<SsoConnection, 'groupRoles'>
    | Pick<OperatorSsoConnection, 'groupRoles'>
  )

/** How the people of a business, or the staff of the operator, sign in at their own identity provider. */
export function SsoPage() {
  const api = useApi()
  const isOfBusiness = api === '/api/v1'
  const connections = useRead(`${api}/sso-connections`)
  const create = useWrite('post', `${api}/sso-connections`)
  const change = useWrite('patch', `${api}/sso-connections/{connectionID}`)
  const remove = useWrite('delete', `${api}/sso-connections/{connectionID}`)
  const createToken = useWrite('post', `${api}/sso-connections/{connectionID}/scim-token`)
  const endToken = useWrite('delete', `${api}/sso-connections/{connectionID}/scim-token`)
  const params = (connectionID: string) => ({ path: { connectionID } })
  return (
    <>
      <PageHeader
        title={isOfBusiness ? t('Settings') : t('Single sign-on')}
        sentence={
          isOfBusiness
            ? t('How your people sign in at your own identity provider.')
            : t('How the staff sign in at your own identity provider.')
        }
      />
      {isOfBusiness && <SettingsTabs />}
      <ConnectionList
        connections={connections}
        roles={rolesOf[api]}
        create={(body) => create.mutateAsync({ body: body as Body })}
        save={(id, body) => change.mutateAsync({ params: params(id), body: body as Body })}
        remove={(id) => remove.mutateAsync({ params: params(id) })}
        provisioning={(id) => ({
          create: () => createToken.mutateAsync({ params: params(id) }),
          end: () => endToken.mutateAsync({ params: params(id) }),
        })}
      />
      {!isOfBusiness && <Domains />}
    </>
  )
}
