/** An event as tools give it. */
export interface CalendarEvent {
  readonly event_id: string;
  readonly summary: string;
  /** ISO 8601 in UTC; of an event that takes whole days only the date. */
  readonly start_time: string;
  readonly end_time: string;
  readonly all_day: boolean;
  readonly description?: string;
  readonly location?: string;
  readonly attendees?: readonly string[];
  /** One of a series: changing or deleting it concerns the whole series. */
  readonly recurring?: boolean;
  /** It does not make anybody busy. */
  readonly free?: boolean;
}

/** What an event is made of, or what is changed about it. */
export interface EventChange {
  readonly summary?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly description?: string;
  readonly location?: string;
  readonly attendees?: readonly string[];
}

export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** A calendar that can be read. Each kind is a leaf: it knows this interface and nothing of the others. */
export interface Calendar {
  /** The events that touch the range, the earliest first; each occurrence of a series is one of them. */
  list(range: TimeRange, signal: AbortSignal): Promise<readonly CalendarEvent[]>;
  /** Absent where events cannot be changed. */
  readonly change?: CalendarChanges;
}

export interface CalendarChanges {
  create(event: EventChange, signal: AbortSignal): Promise<{ readonly event_id: string }>;
  /** Throws ToolInputError for an event that does not exist. */
  update(eventId: string, change: EventChange, signal: AbortSignal): Promise<void>;
  remove(eventId: string, signal: AbortSignal): Promise<void>;
}
