// Dirty lines that leave a slice.
#include "time/memory/granules.h"
#include "time/memory/slice.h"

namespace lockstep {

// A dirty line's bytes go to the next level; to memory only its dirty sectors.
void Slice::write_back(u64 line, u32 dirty, u64 now) {
  ++counts_.write_backs;
  const u32 piece = 1u << piece_shift_;
  const u32 pieces = f_.line_bytes >> piece_shift_, each = piece >> word_shift_;
  Mail mail;
  mail.tag = static_cast<u32>(Reply::write_back) << reply_shift;
  if (pieces == 1) {
    mail.address = line << line_shift_;
    mail.what = Mail::what_of(MailKind::write, piece);
    mail.bytes = granules_of(dirty, piece, word_shift_);
    send_on(mail, now);
    ++write_backs_;
    return;
  }
  const auto part = [&](u32 i) { return dirty >> i * each & low_bits(each); };
  for (u32 i = 0; i < pieces;) {
    if (part(i) == 0) {
      ++i;
      continue;
    }
    u32 count = 1;
    if (last_) {
      while (i + count < pieces && part(i + count) != 0) ++count;
    }
    mail.address = (line << line_shift_) + u64{i} * piece;
    mail.what = Mail::what_of(MailKind::write, piece * count);
    mail.bytes = granules_of(part(i), piece, word_shift_);
    send_on(mail, now);
    ++write_backs_;
    i += count;
  }
}

// The entry has become dirty: where too many of its set are, the one used longest ago is written back and
// stays.
void Slice::limit_dirty(u32 set, u32 entry, u64 now) {
  u32 count = 0;
  for (u32 i = 0; i < f_.ways; ++i) count += is_dirty(set * f_.ways + i);
  if (count <= f_.dirty_ways || write_backs_ >= f_.misses) return;
  const u32 oldest = tags_.oldest_in(set, [&](u32 one) { return one != entry && is_dirty(one); });
  if (oldest == Tags::none) return;
  write_back(tags_.line(oldest), tags_.data(oldest).dirty, now);
  tags_.data(oldest).dirty = 0;
}

}  // namespace lockstep
