// Dirty lines that leave a slice.
#include "time/memory/granules.h"
#include "time/memory/slice.h"

namespace lockstep {

// Dirty lines beside one that leaves, which have not been used for some time either, go with it and stay as
// clean ones: their turn would come soon, when the row of memory may be closed again.
void Slice::write_back_neighbours(u64 line, u64 now) {
  const u64 own = interleave_.inner(line << line_shift_), bytes = u64{together_} * f_.line_bytes;
  const u32 number = interleave_.slice(line << line_shift_);
  const u64 first = own - own % bytes;
  neighbours_.clear();
  u64 other = 0;
  for (u64 inner = first; inner < first + bytes; inner += f_.line_bytes, ++other) {
    if (inner == first || (inner & (interleave_.together() - 1)) == 0)
      other = interleave_.address(number, inner) >> line_shift_;
    if (other == line) continue;
    const u32 set = tags_.set_at(inner >> line_shift_);
    if (tags_.prefetch_old(other, set) != Tags::none) neighbours_.emplace_back(other, set);
  }
  for (const auto& [neighbour, set] : neighbours_) {
    if (write_backs_ >= f_.misses) return;
    const u32 entry = tags_.peek_in(neighbour, set);
    if (entry == Tags::none || tags_.data(entry).dirty == 0 || !tags_.is_old(entry)) continue;
    write_back(neighbour, tags_.data(entry).dirty, now);
    tags_.data(entry).dirty = 0;
  }
}

// A dirty line's bytes go to the next level; to memory only its dirty sectors.
void Slice::write_back(u64 line, u64 dirty, u64 now) {
  ++counts_.write_backs;
  const u32 piece = 1u << piece_shift_;
  const u32 pieces = f_.line_bytes >> piece_shift_, each = piece >> granule_shift_;
  Mail mail;
  mail.tag = static_cast<u32>(Reply::write_back) << reply_shift;
  if (pieces == 1) {
    mail.address = line << line_shift_;
    mail.what = Mail::what_of(MailKind::write, piece);
    mail.bytes = dirty;
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
    mail.bytes = part(i);
    for (u32 shift = granule_shift(piece); shift < granule_shift_; ++shift)
      mail.bytes = doubled_bits(mail.bytes);
    send_on(mail, now);
    ++write_backs_;
    i += count;
  }
}

}  // namespace lockstep
