package org.fedometer.analysis.statistics;

/** Series that other programs can make too, to work out what ours is held against. */
final class ReferenceSeries {

  /** Annual flow of the Nile at Aswan, 1871 to 1970, 10^8 m^3 (Cobb 1978; R's data set Nile). */
  static final double[] NILE = {
    1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180,
    799, 958, 1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833,
    701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845,
    864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649,
    846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815,
    1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740
  };

  private ReferenceSeries() {}

  /**
   * {@code y = stays * y + u} from y = 0, with u from the generator {@code s = (1103515245 s +
   * 12345) mod 2^31}, {@code s = 1} before the first, divided by 2^31.
   */
  static double[] autoregression(int size, double stays) {
    double[] series = new double[size];
    long state = 1;
    double value = 0;
    for (int i = 0; i < size; i++) {
      state = (1_103_515_245L * state + 12_345) & 0x7FFF_FFFFL;
      value = stays * value + state / 2_147_483_648.0;
      series[i] = value;
    }
    return series;
  }
}
