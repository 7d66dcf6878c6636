/** Counters of P9; absolute since the runtime was made. */
export interface RuntimeCounters {
  delivered: number;
  withOutput: number;
  withoutOutput: number;
  droppedLate: number;
  late: number;
  /** Records and timers set aside; `timersDeadLettered` of them are timers, which were never delivered. */
  deadLettered: number;
  timersDeadLettered: number;
  producedByRecords: number;
  producedByTimers: number;
  timersFired: number;
}

export function zeroCounters(): RuntimeCounters {
  return {
    delivered: 0,
    withOutput: 0,
    withoutOutput: 0,
    droppedLate: 0,
    late: 0,
    deadLettered: 0,
    timersDeadLettered: 0,
    producedByRecords: 0,
    producedByTimers: 0,
    timersFired: 0,
  };
}
