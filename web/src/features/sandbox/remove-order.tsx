import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

export function RemoveSandboxOrder({ orderID }: { orderID: string }) {
  const path = useRealmPath()
  const navigate = useNavigate()
  const remove = useWrite('delete', '/api/v1/sandbox/orders/{orderID}')
  return (
    <ConfirmButton
      label={t('Delete from the sandbox')}
      isDangerous
      sentence={t('The order is deleted, with its mock kits, their reports and their webhook history.')}
      action={async () => {
        await remove.mutateAsync({ params: { path: { orderID } } })
        await navigate({ to: path('orders') })
      }}
      done={t('The order was deleted')}
    />
  )
}
