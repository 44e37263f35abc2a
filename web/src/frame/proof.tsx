import { Suspense, useEffect, useRef, useState } from 'react'
import { onProofNeeded } from '../api/proof.ts'
import { onDemand } from '../app/on-demand.ts'

// Few people are ever asked: the dialog, its fields and the passkeys come when they are.
const ProofDialog = onDemand(async () => (await import('./proof-dialog.tsx')).ProofDialog, NotProved)

/** Asks who is there before something sensitive; the request that was refused is then sent again. */
export function Proof() {
  const [by, setBy] = useState<readonly string[]>()
  const [wasOpened, setOpened] = useState(false)
  const answer = useRef<(proved: boolean) => void>(undefined)
  useEffect(
    () =>
      onProofNeeded((ways) => {
        setBy(ways)
        setOpened(true)
        return new Promise((resolve) => {
          answer.current = resolve
        })
      }),
    [],
  )
  const close = (proved: boolean) => {
    setBy(undefined)
    answer.current?.(proved)
  }
  return wasOpened ? (
    <Suspense>
      <ProofDialog by={by} close={close} />
    </Suspense>
  ) : null
}

/** Nobody can be asked: the refusal stands, and the page shows it. */
function NotProved({ by, close }: { by: readonly string[] | undefined; close: (proved: boolean) => void }) {
  useEffect(() => {
    if (by) close(false)
  }, [by, close])
  return null
}
