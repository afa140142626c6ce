export { type Holder, holderReason, livingHolder, readHolder } from "./holder.ts";
export {
  bootId,
  type Liveness,
  livenessOf,
  type ProcessIdentity,
  thisHost,
  thisProcess,
} from "./liveness.ts";
export {
  acquireLock,
  type Lock,
  type LockFailure,
  type LockOptions,
} from "./lock.ts";
