//@lockstep gen 1
//@lockstep info ---
//@lockstep info version:         '1.20'
//@lockstep info kernels:
//@lockstep info   - name:            saxpy
//@lockstep info     execution_env:
//@lockstep info       grf_count:       128
//@lockstep info       has_no_stateless_write: true
//@lockstep info       simd_size:       32
//@lockstep info       subgroup_independent_forward_progress: true
//@lockstep info     payload_arguments:
//@lockstep info       - arg_type:        global_id_offset
//@lockstep info         offset:          0
//@lockstep info         size:            12
//@lockstep info       - arg_type:        local_size
//@lockstep info         offset:          12
//@lockstep info         size:            12
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       0
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readonly
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          32
//@lockstep info         size:            8
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       1
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          40
//@lockstep info         size:            8
//@lockstep info         arg_index:       1
//@lockstep info       - arg_type:        arg_byvalue
//@lockstep info         offset:          48
//@lockstep info         size:            4
//@lockstep info         arg_index:       2
//@lockstep info       - arg_type:        arg_byvalue
//@lockstep info         offset:          52
//@lockstep info         size:            4
//@lockstep info         arg_index:       3
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          56
//@lockstep info         size:            4
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          60
//@lockstep info         size:            4
//@lockstep info         arg_index:       1
//@lockstep info       - arg_type:        enqueued_local_size
//@lockstep info         offset:          64
//@lockstep info         size:            12
//@lockstep info     per_thread_payload_arguments:
//@lockstep info       - arg_type:        local_id
//@lockstep info         offset:          0
//@lockstep info         size:            192
//@lockstep info     binding_table_indices:
//@lockstep info       - bti_value:       0
//@lockstep info         arg_index:       0
//@lockstep info       - bti_value:       1
//@lockstep info         arg_index:       1
//@lockstep info   - name:            group_sums
//@lockstep info     user_attributes:
//@lockstep info       reqd_work_group_size: [ 64, 1, 1 ]
//@lockstep info     execution_env:
//@lockstep info       barrier_count:   1
//@lockstep info       grf_count:       128
//@lockstep info       has_no_stateless_write: true
//@lockstep info       required_work_group_size: [ 64, 1, 1 ]
//@lockstep info       simd_size:       32
//@lockstep info       slm_size:        256
//@lockstep info       subgroup_independent_forward_progress: true
//@lockstep info     payload_arguments:
//@lockstep info       - arg_type:        global_id_offset
//@lockstep info         offset:          0
//@lockstep info         size:            12
//@lockstep info       - arg_type:        local_size
//@lockstep info         offset:          12
//@lockstep info         size:            12
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       0
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readonly
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          32
//@lockstep info         size:            8
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       1
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          40
//@lockstep info         size:            8
//@lockstep info         arg_index:       1
//@lockstep info       - arg_type:        local_size
//@lockstep info         offset:          48
//@lockstep info         size:            12
//@lockstep info       - arg_type:        enqueued_local_size
//@lockstep info         offset:          64
//@lockstep info         size:            12
//@lockstep info     per_thread_payload_arguments:
//@lockstep info       - arg_type:        local_id
//@lockstep info         offset:          0
//@lockstep info         size:            192
//@lockstep info     binding_table_indices:
//@lockstep info       - bti_value:       0
//@lockstep info         arg_index:       0
//@lockstep info       - bti_value:       1
//@lockstep info         arg_index:       1
//@lockstep info   - name:            counts
//@lockstep info     execution_env:
//@lockstep info       grf_count:       128
//@lockstep info       has_global_atomics: true
//@lockstep info       simd_size:       16
//@lockstep info       subgroup_independent_forward_progress: true
//@lockstep info     payload_arguments:
//@lockstep info       - arg_type:        global_id_offset
//@lockstep info         offset:          0
//@lockstep info         size:            12
//@lockstep info       - arg_type:        local_size
//@lockstep info         offset:          12
//@lockstep info         size:            12
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          32
//@lockstep info         size:            8
//@lockstep info         arg_index:       4
//@lockstep info         addrmode:        slm
//@lockstep info         addrspace:       local
//@lockstep info         access_type:     readwrite
//@lockstep info         slm_alignment:   4
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       0
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readonly
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          40
//@lockstep info         size:            8
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       1
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          48
//@lockstep info         size:            8
//@lockstep info         arg_index:       1
//@lockstep info         addrmode:        stateless
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       2
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          56
//@lockstep info         size:            8
//@lockstep info         arg_index:       2
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       3
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          64
//@lockstep info         size:            8
//@lockstep info         arg_index:       3
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          72
//@lockstep info         size:            4
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          76
//@lockstep info         size:            4
//@lockstep info         arg_index:       2
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          80
//@lockstep info         size:            4
//@lockstep info         arg_index:       3
//@lockstep info       - arg_type:        enqueued_local_size
//@lockstep info         offset:          84
//@lockstep info         size:            12
//@lockstep info     per_thread_payload_arguments:
//@lockstep info       - arg_type:        local_id
//@lockstep info         offset:          0
//@lockstep info         size:            96
//@lockstep info     binding_table_indices:
//@lockstep info       - bti_value:       0
//@lockstep info         arg_index:       0
//@lockstep info       - bti_value:       1
//@lockstep info         arg_index:       1
//@lockstep info       - bti_value:       2
//@lockstep info         arg_index:       2
//@lockstep info       - bti_value:       3
//@lockstep info         arg_index:       3
//@lockstep info   - name:            rotated
//@lockstep info     execution_env:
//@lockstep info       grf_count:       128
//@lockstep info       has_no_stateless_write: true
//@lockstep info       simd_size:       32
//@lockstep info       subgroup_independent_forward_progress: true
//@lockstep info     payload_arguments:
//@lockstep info       - arg_type:        global_id_offset
//@lockstep info         offset:          0
//@lockstep info         size:            12
//@lockstep info       - arg_type:        local_size
//@lockstep info         offset:          12
//@lockstep info         size:            12
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       0
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readonly
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          32
//@lockstep info         size:            8
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        arg_bypointer
//@lockstep info         offset:          0
//@lockstep info         size:            0
//@lockstep info         arg_index:       1
//@lockstep info         addrmode:        stateful
//@lockstep info         addrspace:       global
//@lockstep info         access_type:     readwrite
//@lockstep info       - arg_type:        buffer_address
//@lockstep info         offset:          40
//@lockstep info         size:            8
//@lockstep info         arg_index:       1
//@lockstep info       - arg_type:        arg_byvalue
//@lockstep info         offset:          48
//@lockstep info         size:            4
//@lockstep info         arg_index:       2
//@lockstep info       - arg_type:        private_base_stateless
//@lockstep info         offset:          56
//@lockstep info         size:            8
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          64
//@lockstep info         size:            4
//@lockstep info         arg_index:       0
//@lockstep info       - arg_type:        buffer_offset
//@lockstep info         offset:          68
//@lockstep info         size:            4
//@lockstep info         arg_index:       1
//@lockstep info       - arg_type:        enqueued_local_size
//@lockstep info         offset:          72
//@lockstep info         size:            12
//@lockstep info     per_thread_payload_arguments:
//@lockstep info       - arg_type:        local_id
//@lockstep info         offset:          0
//@lockstep info         size:            192
//@lockstep info     binding_table_indices:
//@lockstep info       - bti_value:       0
//@lockstep info         arg_index:       0
//@lockstep info       - bti_value:       1
//@lockstep info         arg_index:       1
//@lockstep info   - name:            Intel_Symbol_Table_Void_Program
//@lockstep info     execution_env:
//@lockstep info       grf_count:       128
//@lockstep info       has_no_stateless_write: true
//@lockstep info       simd_size:       32
//@lockstep info       subgroup_independent_forward_progress: true
//@lockstep info kernels_misc_info:
//@lockstep info   - name:            saxpy
//@lockstep info     args_info:
//@lockstep info       - index:           0
//@lockstep info         name:            x
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'float4*;8'
//@lockstep info         type_qualifiers: const
//@lockstep info       - index:           1
//@lockstep info         name:            y
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'float4*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           2
//@lockstep info         name:            a
//@lockstep info         address_qualifier: __private
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'float;4'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           3
//@lockstep info         name:            n
//@lockstep info         address_qualifier: __private
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int;4'
//@lockstep info         type_qualifiers: NONE
//@lockstep info   - name:            group_sums
//@lockstep info     args_info:
//@lockstep info       - index:           0
//@lockstep info         name:            x
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: const
//@lockstep info       - index:           1
//@lockstep info         name:            sums
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info   - name:            counts
//@lockstep info     args_info:
//@lockstep info       - index:           0
//@lockstep info         name:            x
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'uchar*;8'
//@lockstep info         type_qualifiers: const
//@lockstep info       - index:           1
//@lockstep info         name:            bins
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           2
//@lockstep info         name:            bytes
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'uchar*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           3
//@lockstep info         name:            halves
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'short*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           4
//@lockstep info         name:            near
//@lockstep info         address_qualifier: __local
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info   - name:            rotated
//@lockstep info     args_info:
//@lockstep info       - index:           0
//@lockstep info         name:            x
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: const
//@lockstep info       - index:           1
//@lockstep info         name:            y
//@lockstep info         address_qualifier: __global
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int*;8'
//@lockstep info         type_qualifiers: NONE
//@lockstep info       - index:           2
//@lockstep info         name:            by
//@lockstep info         address_qualifier: __private
//@lockstep info         access_qualifier: NONE
//@lockstep info         type_name:       'int;4'
//@lockstep info         type_qualifiers: NONE
//@lockstep info   - name:            Intel_Symbol_Table_Void_Program
//@lockstep info ...
//@lockstep file 0 <stdin>
//@lockstep file 1 tests/data/vliw/kernels.cl
//@lockstep kernel saxpy
L0:
/* [0000]  */ (W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud                  
/* [0010]  */ (W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x4C0:uw              {Switch}
/* [0020]  */ (W)     mul (1|M0)               r126.0<1>:d   r9.0<0;1,0>:d     r3.1<0;1,0>:d    {Compacted}
/* [0028]  */         add (16|M0)              r4.0<1>:d     r126.0<0;1,0>:d   r1.0<16;16,1>:uw
/* [0038]  */         add (16|M16)             r124.0<1>:d   r126.0<0;1,0>:d   r2.0<16;16,1>:uw
/* [0048]  */         add (16|M0)              r10.0<1>:d    r4.0<8;8,1>:d     r7.0<0;1,0>:d    {Compacted}
/* [0050]  */         add (16|M16)             r122.0<1>:d   r124.0<8;8,1>:d   r7.0<0;1,0>:d   
/* [0060]  */         cmp (16|M0)   (lt)f0.0   null<1>:d     r10.0<8;8,1>:d    r8.5<0;1,0>:d    {Compacted}
/* [0068]  */         cmp (16|M16)  (lt)f0.0   null<1>:d     r122.0<8;8,1>:d   r8.5<0;1,0>:d   
/* [0078]  */ (f0.0)  if (32|M0)                           L472                  L472                
L136:
/* [0088]  */         shl (16|M0)              r12.0<1>:d    r10.0<8;8,1>:d    4:w              
/* [0098]  */         shl (16|M16)             r120.0<1>:d   r122.0<8;8,1>:d   4:w              
/* [00A8]  */         add (16|M0)              r14.0<1>:d    r12.0<8;8,1>:d    r8.6<0;1,0>:d    {Compacted}
/* [00B0]  */         add (16|M16)             r118.0<1>:d   r120.0<8;8,1>:d   r8.6<0;1,0>:d   
/* [00C0]  */         add (16|M0)              r24.0<1>:d    r12.0<8;8,1>:d    r8.7<0;1,0>:d    {Compacted}
/* [00C8]  */         add (16|M16)             r91.0<1>:d    r120.0<8;8,1>:d   r8.7<0;1,0>:d   
/* [00D8]  */         send (16|M0)             r16:w    r14     0xC            0x04805000           // wr:2+0, rd:8; hdc.dc1; untyped surface read with xyzw
/* [00E8]  */         send (16|M16)            r110:w   r118    0xC            0x04805000           // wr:2+0, rd:8; hdc.dc1; untyped surface read with xyzw
/* [00F8]  */         send (16|M0)             r26:w    r24     0xC            0x04805001           // wr:2+0, rd:8; hdc.dc1; untyped surface read with xyzw
/* [0108]  */         send (16|M16)            r83:w    r91     0xC            0x04805001           // wr:2+0, rd:8; hdc.dc1; untyped surface read with xyzw
/* [0118]  */         math.sqt (16|M0)         r107.0<1>:f   r16.0<8;8,1>:f                   {Compacted}
/* [0120]  */         math.sqt (16|M0)         r103.0<1>:f   r18.0<8;8,1>:f                   {Compacted}
/* [0128]  */         math.sqt (16|M0)         r99.0<1>:f    r20.0<8;8,1>:f                   {Compacted}
/* [0130]  */         math.sqt (16|M0)         r95.0<1>:f    r22.0<8;8,1>:f                   {Compacted}
/* [0138]  */         math.sqt (16|M16)        r105.0<1>:f   r110.0<8;8,1>:f                 
/* [0148]  */         math.sqt (16|M16)        r101.0<1>:f   r112.0<8;8,1>:f                 
/* [0158]  */         mad (16|M0)              r34.0<1>:f    r26.0<2;1>:f      r107.0<2;1>:f     r8.4<0>:f        {Compacted}
/* [0160]  */         math.sqt (16|M16)        r97.0<1>:f    r114.0<8;8,1>:f                 
/* [0170]  */         mad (16|M0)              r36.0<1>:f    r28.0<2;1>:f      r103.0<2;1>:f     r8.4<0>:f        {Compacted}
/* [0178]  */         math.sqt (16|M16)        r93.0<1>:f    r116.0<8;8,1>:f                 
/* [0188]  */         mad (16|M0)              r38.0<1>:f    r30.0<2;1>:f      r99.0<2;1>:f      r8.4<0>:f        {Compacted}
/* [0190]  */         mad (16|M0)              r40.0<1>:f    r32.0<2;1>:f      r95.0<2;1>:f      r8.4<0>:f        {Compacted}
/* [0198]  */         mad (16|M16)             r75.0<1>:f    r83.0<2;1>:f      r105.0<2;1>:f     r8.4<0>:f        {Compacted}
/* [01A0]  */         mad (16|M16)             r77.0<1>:f    r85.0<2;1>:f      r101.0<2;1>:f     r8.4<0>:f        {Compacted}
/* [01A8]  */         mad (16|M16)             r79.0<1>:f    r87.0<2;1>:f      r97.0<2;1>:f      r8.4<0>:f        {Compacted}
/* [01B0]  */         mad (16|M16)             r81.0<1>:f    r89.0<2;1>:f      r93.0<2;1>:f      r8.4<0>:f        {Compacted}
/* [01B8]  */         sends (16|M0)            null:w   r24     r34     0x20C            0x04025001           // wr:2+8, rd:0; hdc.dc1; untyped surface write with xyzw
/* [01C8]  */         sends (16|M16)           null:w   r91     r75     0x20C            0x04025001           // wr:2+8, rd:0; hdc.dc1; untyped surface write with xyzw
L472:
/* [01D8]  */         endif (32|M0)                        L488                                
L488:
/* [01E8]  */ (W)     mov (8|M0)               r127.0<1>:ud  r3.0<8;8,1>:ud                   {Compacted}
/* [01F0]  */ (W)     send (8|M0)              null     r127    0x27            0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread
L512:
/* [0200]  */         illegal                
/* [0210]  */         illegal                
/* [0220]  */         illegal                
/* [0230]  */         illegal                
/* [0240]  */         illegal                
/* [0250]  */         illegal                
/* [0260]  */         illegal                
/* [0270]  */         illegal                
//@lockstep kernel group_sums
//@lockstep address 56 1 weights
L0:
/* [0000]  */ (W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud                  
/* [0010]  */ (W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x4C0:uw              {Switch}
/* [0020]  */         mov (16|M0)              r5.0<1>:d     r1.0<16;16,1>:uw                
/* [0030]  */ (W)     mov (1|M0)               r4.1<1>:uq    0x6E10CA2E:uq                             
/* [0040]  */         mov (16|M16)             r9.0<1>:d     r2.0<16;16,1>:uw                
/* [0050]  */ (W)     shl (1|M0)               r4.1<1>:d     r3.1<0;1,0>:d     6:w              
/* [0060]  */ (W)     mov (1|M0)               r4.0<1>:d     r8.4<0;1,0>:d                    {Compacted}
/* [0068]  */         shl (16|M0)              r19.0<1>:d    r5.0<8;8,1>:d     2:w              
/* [0078]  */ (W)     mov (1|M0)               r4.2<1>:uq    r4.1<0;1,0>:uq                  
/* [0088]  */         shl (16|M16)             r21.0<1>:d    r9.0<8;8,1>:d     2:w              
/* [0098]  */         add (16|M0)              r11.0<1>:d    r4.1<0;1,0>:d     r5.0<8;8,1>:d    {Compacted}
/* [00A0]  */         and (16|M0)              r23.0<1>:d    r19.0<8;8,1>:d    12:w              
/* [00B0]  */         add (16|M16)             r13.0<1>:d    r4.1<0;1,0>:d     r9.0<8;8,1>:d   
/* [00C0]  */         and (16|M16)             r25.0<1>:d    r21.0<8;8,1>:d    12:w              
/* [00D0]  */         add (16|M0)              r11.0<1>:d    r11.0<8;8,1>:d    r7.0<0;1,0>:d    {Compacted}
/* [00D8]  */         addc (8|M0)              r27.0<1>:ud   r23.0<8;8,1>:ud   r4.2<0;1,0>:ud   {AccWrEn,Compacted}
/* [00E0]  */         add (16|M16)             r13.0<1>:d    r13.0<8;8,1>:d    r7.0<0;1,0>:d   
/* [00F0]  */ (W)     cmp (16|M0)   (lt)f1.0   null<1>:d     r4.0<0;1,0>:ud    0x2:uw             
/* [0100]  */         shl (16|M0)              r11.0<1>:d    r11.0<8;8,1>:d    2:w              
/* [0110]  */         mov (8|M0)               r31.0<1>:ud   acc0.0<8;8,1>:ud                 {Compacted}
/* [0118]  */         addc (8|M8)              r28.0<1>:ud   r24.0<8;8,1>:ud   r4.2<0;1,0>:ud   {AccWrEn,Compacted}
/* [0120]  */         shl (16|M16)             r13.0<1>:d    r13.0<8;8,1>:d    2:w              
/* [0130]  */ (W)     cmp (16|M16)  (lt)f1.0   null<1>:d     r4.0<0;1,0>:ud    0x2:uw             
/* [0140]  */         send (16|M0)             r15:w    r11     0xC            0x04205E00           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [0150]  */         mov (8|M8)               r32.0<1>:ud   acc0.0<8;8,1>:ud                 {Compacted}
/* [0158]  */         add (8|M0)               r35.1<2>:ud   r31.0<8;8,1>:ud   r4.5<0;1,0>:ud  
/* [0168]  */         addc (8|M16)             r29.0<1>:ud   r25.0<8;8,1>:ud   r4.2<0;1,0>:ud   {AccWrEn}
/* [0178]  */         mov (8|M0)               r35.0<2>:d    r27.0<8;8,1>:d                  
/* [0188]  */         send (16|M16)            r17:w    r13     0xC            0x04205E00           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [0198]  */         add (8|M8)               r37.1<2>:ud   r32.0<8;8,1>:ud   r4.5<0;1,0>:ud  
/* [01A8]  */         mov (8|M8)               r37.0<2>:d    r28.0<8;8,1>:d                  
/* [01B8]  */         mov (8|M16)              r33.0<1>:ud   acc0.0<8;8,1>:ud                
/* [01C8]  */         addc (8|M24)             r30.0<1>:ud   r26.0<8;8,1>:ud   r4.2<0;1,0>:ud   {AccWrEn}
/* [01D8]  */         send (16|M0)             r43:w    r35:d   0xC            0x082411FF           // wr:4+0, rd:2; hdc.dc1; a64 dword gathering read
/* [01E8]  */         mov (8|M24)              r34.0<1>:ud   acc0.0<8;8,1>:ud                
/* [01F8]  */         add (8|M16)              r39.1<2>:ud   r33.0<8;8,1>:ud   r4.5<0;1,0>:ud  
/* [0208]  */         mov (8|M16)              r39.0<2>:d    r29.0<8;8,1>:d                  
/* [0218]  */         add (8|M24)              r41.1<2>:ud   r34.0<8;8,1>:ud   r4.5<0;1,0>:ud  
/* [0228]  */         mov (8|M24)              r41.0<2>:d    r30.0<8;8,1>:d                  
/* [0238]  */         send (16|M16)            r45:w    r39:d   0xC            0x082411FF           // wr:4+0, rd:2; hdc.dc1; a64 dword gathering read
/* [0248]  */ (W)     mul (8|M0)               acc0.0<1>:d   r15.0<8;8,1>:d    r43.0<2;1,0>:uw 
/* [0258]  */         mach (8|M0)              null<1>:d     r15.0<8;8,1>:d    r43.0<8;8,1>:d   {AccWrEn,Compacted}
/* [0260]  */         mov (8|M0)               r47.0<1>:d    acc0.0<8;8,1>:d                 
/* [0270]  */ (W)     mul (8|M0)               acc0.0<1>:d   r16.0<8;8,1>:d    r44.0<2;1,0>:uw 
/* [0280]  */         mach (8|M8)              null<1>:d     r16.0<8;8,1>:d    r44.0<8;8,1>:d   {AccWrEn,Compacted}
/* [0288]  */         mov (8|M8)               r48.0<1>:d    acc0.0<8;8,1>:d                 
/* [0298]  */ (W)     mul (8|M0)               acc0.0<1>:d   r17.0<8;8,1>:d    r45.0<2;1,0>:uw 
/* [02A8]  */         sends (16|M0)            null:w   r19     r47     0x8C            0x04025EFE           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
/* [02B8]  */         mach (8|M16)             null<1>:d     r17.0<8;8,1>:d    r45.0<8;8,1>:d   {AccWrEn}
/* [02C8]  */         mov (8|M16)              r49.0<1>:d    acc0.0<8;8,1>:d                 
/* [02D8]  */ (W)     mul (8|M0)               acc0.0<1>:d   r18.0<8;8,1>:d    r46.0<2;1,0>:uw 
/* [02E8]  */         mach (8|M24)             null<1>:d     r18.0<8;8,1>:d    r46.0<8;8,1>:d   {AccWrEn}
/* [02F8]  */         mov (8|M24)              r50.0<1>:d    acc0.0<8;8,1>:d                 
/* [0308]  */         sends (16|M16)           null:w   r21     r49     0x8C            0x04025EFE           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
/* [0318]  */ (W&f1.0) jmpi                                L1200                                
L808:
/* [0328]  */ (W)     shr (1|M0)               r4.6<1>:d     r4.0<0;1,0>:ud    1:w              
/* [0338]  */ (W)     and (8|M0)               r51.0<1>:ud   r3.2<0;1,0>:ud    0x8F000000:ud             
/* [0348]  */ (W)     send (1|M0)              null     r51     0x3            0x02000004           // wr:1+0, rd:0; gateway; signal barrier
/* [0358]  */ (W)     wait                                 n0.0<0;1,0>:ud                  
/* [0368]  */         cmp (16|M0)   (gt)f1.0   null<1>:d     r4.6<0;1,0>:ud    r5.0<8;8,1>:ud  
/* [0378]  */         cmp (16|M16)  (gt)f1.0   null<1>:d     r4.6<0;1,0>:ud    r9.0<8;8,1>:ud  
/* [0388]  */ (f1.0)  if (32|M0)                           L1104                  L1104                
L920:
/* [0398]  */         add (16|M0)              r52.0<1>:d    r4.6<0;1,0>:d     r5.0<8;8,1>:d   
/* [03A8]  */         add (16|M16)             r54.0<1>:d    r4.6<0;1,0>:d     r9.0<8;8,1>:d   
/* [03B8]  */         send (16|M0)             r60:w    r19     0xC            0x04205EFE           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [03C8]  */         send (16|M16)            r62:w    r21     0xC            0x04205EFE           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [03D8]  */         shl (16|M0)              r52.0<1>:d    r52.0<8;8,1>:d    2:w              
/* [03E8]  */         shl (16|M16)             r54.0<1>:d    r54.0<8;8,1>:d    2:w              
/* [03F8]  */         send (16|M0)             r56:w    r52     0xC            0x04205EFE           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [0408]  */         send (16|M16)            r58:w    r54     0xC            0x04205EFE           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [0418]  */         add (16|M0)              r60.0<1>:d    r60.0<8;8,1>:d    r56.0<8;8,1>:d   {Compacted}
/* [0420]  */         add (16|M16)             r62.0<1>:d    r62.0<8;8,1>:d    r58.0<8;8,1>:d  
/* [0430]  */         sends (16|M0)            null:w   r19     r60     0x8C            0x04025EFE           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
/* [0440]  */         sends (16|M16)           null:w   r21     r62     0x8C            0x04025EFE           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
L1104:
/* [0450]  */         endif (32|M0)                        L1120                                
L1120:
/* [0460]  */ (W)     cmp (16|M0)   (lt)f0.0   null<1>:d     r4.0<0;1,0>:ud    0x4:uw             
/* [0470]  */ (W)     cmp (16|M16)  (lt)f0.0   null<1>:d     r4.0<0;1,0>:ud    0x4:uw             
/* [0480]  */ (f0.0)  break (32|M0)                        L1184                  L1184                
L1168:
/* [0490]  */ (W)     mov (1|M0)               r4.0<1>:d     r4.6<0;1,0>:d                   
L1184:
/* [04A0]  */         while (32|M0)                        L808                                
L1200:
/* [04B0]  */         cmp (16|M0)   (eq)f0.0   null<1>:w     r1.0<16;16,1>:w   0:w               {Compacted}
/* [04B8]  */         cmp (16|M16)  (eq)f0.0   null<1>:w     r2.0<16;16,1>:w   0:w              
/* [04C8]  */ (f0.0)  if (32|M0)                           L1304                  L1304                
L1240:
/* [04D8]  */ (W)     mov (1|M0)               r64.0<1>:ud   0x0:uw                             
/* [04E8]  */ (W)     shl (1|M0)               r65.0<1>:d    r3.1<0;1,0>:d     2:w              
/* [04F8]  */ (W)     send (1|M0)              r8       r64     0xA            0x021108FE           // wr:1+0, rd:1; hdc.dc0; byte gathering read 32b
/* [0508]  */ (W)     sends (1|M0)             null:ud  r65     r8      0x4A            0x02030801           // wr:1+1, rd:0; hdc.dc0; byte scattering write 32b
L1304:
/* [0518]  */         endif (32|M0)                        L1320                                
L1320:
/* [0528]  */ (W)     mov (8|M0)               r127.0<1>:ud  r3.0<8;8,1>:ud                   {Compacted}
/* [0530]  */ (W)     send (8|M0)              null     r127    0x27            0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread
L1344:
/* [0540]  */         illegal                
/* [0550]  */         illegal                
/* [0560]  */         illegal                
/* [0570]  */         illegal                
/* [0580]  */         illegal                
/* [0590]  */         illegal                
/* [05A0]  */         illegal                
/* [05B0]  */         illegal                
//@lockstep kernel counts
L0:
/* [0000]  */ (W)     mov (8|M0)               r2.0<1>:ud    r0.0<1;1,0>:ud                  
/* [0010]  */ (W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x4C0:uw              {Switch}
/* [0020]  */ (W)     mul (1|M0)               r3.0<1>:d     r6.5<0;1,0>:d     r2.1<0;1,0>:d   
/* [0030]  */         shl (16|M0)              r25.0<1>:d    r1.0<16;16,1>:uw  2:w              
/* [0040]  */         add (16|M0)              r7.0<1>:d     r3.0<0;1,0>:d     r1.0<16;16,1>:uw
/* [0050]  */         or (16|M0)               r25.0<1>:d    r25.0<8;8,1>:d    268435456:d              
/* [0060]  */         add (16|M0)              r9.0<1>:d     r7.0<8;8,1>:d     r4.0<0;1,0>:d    {Compacted}
/* [0068]  */         add (16|M0)              r15.0<1>:d    r9.0<8;8,1>:d     r6.2<0;1,0>:d    {Compacted}
/* [0070]  */         shl (16|M0)              r11.0<1>:d    r9.0<8;8,1>:d     2:w              
/* [0080]  */         send (16|M0)             r17:w    r15     0xA            0x04210100           // wr:2+0, rd:2; hdc.dc0; byte gathering read 8b
/* [0090]  */         and (16|M0)              r11.0<1>:d    r11.0<8;8,1>:d    28:w              
/* [00A0]  */         or (16|M0)               r13.0<1>:d    r11.0<8;8,1>:d    268435456:d              
/* [00B0]  */         mov (16|M0)   (eq)f1.1   r59.0<2>:b    r17.0<4;1,0>:b                  
/* [00C0]  */         mov (16|M0)              r5.0<1>:b     r59.0<2;1,0>:b                  
/* [00D0]  */         mov (16|M0)              r19.0<1>:d    r5.0<8;8,1>:ub                  
/* [00E0]  */         sends (16|M0)            r23:w    r13     r19     0x8C            0x0420A4FE           // wr:2+2, rd:2; hdc.dc1; untyped atomic int32 store
/* [00F0]  */         mov (16|M0)              r21.0<1>:ud   r23.0<8;8,1>:ud                  {Compacted}
/* [00F8]  */         sends (16|M0)            null:w   r25     r21     0x8C            0x04025EFE           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
/* [0108]  */ (f1.1)  if (16|M0)                           L328                  L736                
L280:
/* [0118]  */ (W)     mov (1|M0)               r3.12<2>:b    0:w                              
/* [0128]  */         mov (16|M0)              r5.0<1>:b     r3.12<0;1,0>:b                  
/* [0138]  */         else (16|M0)                         L736                  L736                
L328:
/* [0148]  */         mov (16|M0)              r27.0<1>:d    0:w                              
/* [0158]  */ (W)     mov (1|M0)               r3.1<1>:d     r5.4<0;1,0>:d                   
/* [0168]  */ (W)     mov (1|M0)               r3.2<1>:d     r5.5<0;1,0>:d                   
L376:
/* [0178]  */         xor (16|M0)              r29.0<1>:d    r27.0<8;8,1>:d    r9.0<8;8,1>:d    {Compacted}
/* [0180]  */         and (16|M0)   (eq)f1.0   null<1>:d     r29.0<8;8,1>:d    4:w              
/* [0190]  */ (f1.0)  goto (16|M0)                         L656                  L656                
L416:
/* [01A0]  */         cmp (16|M0)   (gt)f0.1   null<1>:d     r27.0<8;8,1>:ud   0x14:uw             
/* [01B0]  */ (~f0.1) goto (16|M0)                         L656                  L720                
L448:
/* [01C0]  */         shl (16|M0)              r31.0<1>:d    r27.0<8;8,1>:d    2:w              
/* [01D0]  */         mov (16|M0)              r41.0<1>:d    1:w                              
/* [01E0]  */         and (16|M0)              r31.0<1>:d    r31.0<8;8,1>:d    28:w              
/* [01F0]  */         addc (8|M0)              r33.0<1>:ud   r3.1<0;1,0>:ud    r31.0<8;8,1>:ud  {AccWrEn,Compacted}
/* [01F8]  */         mov (8|M0)               r35.0<1>:ud   acc0.0<8;8,1>:ud                 {Compacted}
/* [0200]  */         addc (8|M8)              r34.0<1>:ud   r3.1<0;1,0>:ud    r32.0<8;8,1>:ud  {AccWrEn,Compacted}
/* [0208]  */         add (8|M0)               r37.1<2>:ud   r35.0<8;8,1>:ud   r3.2<0;1,0>:ud  
/* [0218]  */         mov (8|M8)               r36.0<1>:ud   acc0.0<8;8,1>:ud                 {Compacted}
/* [0220]  */         mov (8|M0)               r37.0<2>:d    r33.0<8;8,1>:d                  
/* [0230]  */         add (8|M8)               r39.1<2>:ud   r36.0<8;8,1>:ud   r3.2<0;1,0>:ud  
/* [0240]  */         mov (8|M8)               r39.0<2>:d    r34.0<8;8,1>:d                  
/* [0250]  */         sends (8|M0)             null:ud  r37     r41     0x4C            0x040487FF           // wr:2+1, rd:0; hdc.dc1; untyped a64 atomic int32 integer add
/* [0260]  */         sends (8|M8)             null:ud  r39     r42     0x4C            0x040487FF           // wr:2+1, rd:0; hdc.dc1; untyped a64 atomic int32 integer add
/* [0270]  */         send (16|M0)             r43:w    r15     0xA            0x04210100           // wr:2+0, rd:2; hdc.dc0; byte gathering read 8b
/* [0280]  */         mov (16|M0)              r5.0<1>:b     r43.0<4;1,0>:b                  
L656:
/* [0290]  */         join (16|M0)                         L720                                
L672:
/* [02A0]  */         add (16|M0)              r27.0<1>:d    r27.0<8;8,1>:d    1:w              
/* [02B0]  */         cmp (16|M0)   (lt)f0.0   null<1>:d     r27.0<8;8,1>:ud   r5.0<8;8,1>:ub  
/* [02C0]  */ (f0.0)  goto.b (16|M0)                       L720                  L376                
L720:
/* [02D0]  */         join (16|M0)                         L720                                
L736:
/* [02E0]  */         endif (16|M0)                        L752                                
L752:
/* [02F0]  */         xor (16|M0)              r50.0<1>:w    r1.0<16;16,1>:w   1:w              
/* [0300]  */         add (16|M0)              r45.0<2>:b    r5.0<8;8,1>:b     1:w              
/* [0310]  */         shl (16|M0)              r55.0<1>:d    r9.0<8;8,1>:d     1:w              
/* [0320]  */         add (16|M0)              r46.0<1>:d    r9.0<8;8,1>:d     r6.3<0;1,0>:d    {Compacted}
/* [0328]  */         shl (16|M0)              r51.0<1>:d    r50.0<16;16,1>:uw  2:w             
/* [0338]  */         mov (16|M0)              r48.0<1>:ud   r45.0<2;1,0>:ub                 
/* [0348]  */         add (16|M0)              r55.0<1>:d    r55.0<8;8,1>:d    r6.4<0;1,0>:d    {Compacted}
/* [0350]  */ (W)     mov (8|M0)               r127.0<1>:ud  r2.0<8;8,1>:ud                   {Compacted}
/* [0358]  */         or (16|M0)               r51.0<1>:d    r51.0<8;8,1>:d    268435456:d              
/* [0368]  */         sends (16|M0)            null:w   r46     r48     0x8A            0x04030102           // wr:2+2, rd:0; hdc.dc0; byte scattering write 8b
/* [0378]  */         send (16|M0)             r53:w    r51     0xC            0x04205EFE           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
/* [0388]  */         mov (16|M0)              r57.0<1>:ud   r53.0<2;1,0>:uw                 
/* [0398]  */         sends (16|M0)            null:w   r55     r57     0x8A            0x04030503           // wr:2+2, rd:0; hdc.dc0; byte scattering write 16b
/* [03A8]  */ (W)     send (8|M0)              null     r127    0x27            0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread
L952:
/* [03B8]  */         illegal                
/* [03C8]  */         illegal                
/* [03D8]  */         illegal                
/* [03E8]  */         illegal                
/* [03F8]  */         illegal                
/* [0408]  */         illegal                
/* [0418]  */         illegal                
/* [0428]  */         illegal                
//@lockstep kernel rotated
L0:
//@lockstep line 1 33 0
/* [0000]  */ (W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud                  
/* [0010]  */ (W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x4C0:uw              {Switch}
//@lockstep line 1 35 17
/* [0020]  */ (W)     mul (1|M0)               r4.0<1>:d     r9.2<0;1,0>:d     r3.1<0;1,0>:d   
//@lockstep line 1 37 34
/* [0030]  */ (W)     add (1|M0)               r4.1<1>:d     r8.4<0;1,0>:d     1:w              
//@lockstep line 1 38 1
/* [0040]  */ (W)     mov (8|M0)               r127.0<1>:ud  r3.0<8;8,1>:ud                   {Compacted}
//@lockstep line 1 35 17
/* [0048]  */         add (16|M0)              r5.0<1>:d     r4.0<0;1,0>:d     r1.0<16;16,1>:uw
/* [0058]  */         add (16|M16)             r10.0<1>:d    r4.0<0;1,0>:d     r2.0<16;16,1>:uw
/* [0068]  */         add (16|M0)              r12.0<1>:d    r5.0<8;8,1>:d     r7.0<0;1,0>:d    {Compacted}
/* [0070]  */         add (16|M16)             r14.0<1>:d    r10.0<8;8,1>:d    r7.0<0;1,0>:d   
/* [0080]  */         shl (16|M0)              r16.0<1>:d    r12.0<8;8,1>:d    2:w              
/* [0090]  */         shl (16|M16)             r18.0<1>:d    r14.0<8;8,1>:d    2:w              
//@lockstep line 1 37 17
/* [00A0]  */         add (16|M0)              r40.0<1>:d    r12.0<8;8,1>:d    r8.4<0;1,0>:d    {Compacted}
/* [00A8]  */         add (16|M16)             r42.0<1>:d    r14.0<8;8,1>:d    r8.4<0;1,0>:d   
/* [00B8]  */         add (16|M0)              r20.0<1>:d    r16.0<8;8,1>:d    r9.0<0;1,0>:d    {Compacted}
/* [00C0]  */         add (16|M16)             r22.0<1>:d    r18.0<8;8,1>:d    r9.0<0;1,0>:d   
//@lockstep line 1 37 23
/* [00D0]  */         and (16|M0)   (eq)f1.0   r44.0<1>:d    r40.0<8;8,1>:d    3:w              
/* [00E0]  */         and (16|M16)  (eq)f1.0   r46.0<1>:d    r42.0<8;8,1>:d    3:w              
/* [00F0]  */         send (16|M0)             r24:w    r20     0xC            0x04205E00           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
//@lockstep line 1 37 3
/* [0100]  */         add (16|M0)              r52.0<1>:d    r16.0<8;8,1>:d    r9.1<0;1,0>:d    {Compacted}
/* [0108]  */         send (16|M16)            r26:w    r22     0xC            0x04205E00           // wr:2+0, rd:2; hdc.dc1; untyped surface read with x
//@lockstep line 1 37 34
/* [0118]  */         cmp (16|M0)   (eq)f0.0   null<1>:d     r44.0<8;8,1>:d    1:w              
/* [0128]  */         cmp (16|M16)  (eq)f0.0   null<1>:d     r46.0<8;8,1>:d    1:w              
//@lockstep line 1 37 3
/* [0138]  */         add (16|M16)             r54.0<1>:d    r18.0<8;8,1>:d    r9.1<0;1,0>:d   
//@lockstep line 1 36 45
/* [0148]  */         add (16|M0)              r28.0<1>:d    r24.0<8;8,1>:d    1:w              
//@lockstep line 1 37 34
/* [0158]  */ (f1.0)  sel (16|M0)              r48.0<1>:d    r24.0<8;8,1>:d    0:w              
//@lockstep line 1 36 45
/* [0168]  */         add (16|M16)             r30.0<1>:d    r26.0<8;8,1>:d    1:w              
/* [0178]  */         add (16|M0)              r32.0<1>:d    r24.0<8;8,1>:d    2:w              
//@lockstep line 1 37 34
/* [0188]  */ (f1.0)  sel (16|M16)             r50.0<1>:d    r26.0<8;8,1>:d    0:w              
/* [0198]  */         cmp (16|M0)   (eq)f1.0   null<1>:d     r44.0<8;8,1>:d    2:w              
/* [01A8]  */ (f0.0)  mov (16|M0)              r48.0<1>:d    r28.0<8;8,1>:d                   {Compacted}
//@lockstep line 1 36 45
/* [01B0]  */         add (16|M0)              r36.0<1>:d    r24.0<8;8,1>:d    3:w              
/* [01C0]  */         add (16|M16)             r34.0<1>:d    r26.0<8;8,1>:d    2:w              
//@lockstep line 1 37 34
/* [01D0]  */         cmp (16|M16)  (eq)f1.0   null<1>:d     r46.0<8;8,1>:d    2:w              
/* [01E0]  */ (f0.0)  mov (16|M16)             r50.0<1>:d    r30.0<8;8,1>:d                  
/* [01F0]  */         cmp (16|M0)   (eq)f0.0   null<1>:d     r44.0<8;8,1>:d    3:w              
//@lockstep line 1 36 45
/* [0200]  */         add (16|M16)             r38.0<1>:d    r26.0<8;8,1>:d    3:w              
//@lockstep line 1 37 34
/* [0210]  */         cmp (16|M16)  (eq)f0.0   null<1>:d     r46.0<8;8,1>:d    3:w              
/* [0220]  */ (f1.0)  mov (16|M0)              r48.0<1>:d    r32.0<8;8,1>:d                  
/* [0230]  */ (f1.0)  mov (16|M16)             r50.0<1>:d    r34.0<8;8,1>:d                  
/* [0240]  */ (f0.0)  mov (16|M0)              r48.0<1>:d    r36.0<8;8,1>:d                   {Compacted}
/* [0248]  */ (f0.0)  mov (16|M16)             r50.0<1>:d    r38.0<8;8,1>:d                  
//@lockstep line 1 38 1
/* [0258]  */         math.irem (8|M0)         r48.0<1>:d    r48.0<8;8,1>:d    r4.1<0;1,0>:d    {Compacted}
//@lockstep line 1 37 28
/* [0260]  */         math.irem (8|M8)         r49.0<1>:d    r49.0<8;8,1>:d    r4.1<0;1,0>:d    {Compacted}
//@lockstep line 1 38 1
/* [0268]  */         math.irem (8|M16)        r50.0<1>:d    r50.0<8;8,1>:d    r4.1<0;1,0>:d   
//@lockstep line 1 37 28
/* [0278]  */         math.irem (8|M24)        r51.0<1>:d    r51.0<8;8,1>:d    r4.1<0;1,0>:d   
//@lockstep line 1 37 39
/* [0288]  */         add (16|M0)              r48.0<1>:d    r48.0<8;8,1>:d    r7.0<0;1,0>:d    {Compacted}
/* [0290]  */         add (16|M16)             r50.0<1>:d    r50.0<8;8,1>:d    r7.0<0;1,0>:d   
//@lockstep line 1 37 8
/* [02A0]  */         sends (16|M0)            null:w   r52     r48     0x8C            0x04025E01           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
/* [02B0]  */         sends (16|M16)           null:w   r54     r50     0x8C            0x04025E01           // wr:2+2, rd:0; hdc.dc1; untyped surface write with x
//@lockstep line 1 38 1
/* [02C0]  */ (W)     send (8|M0)              null     r127    0x27            0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread
L720:
/* [02D0]  */         illegal                
/* [02E0]  */         illegal                
/* [02F0]  */         illegal                
/* [0300]  */         illegal                
/* [0310]  */         illegal                
/* [0320]  */         illegal                
/* [0330]  */         illegal                
/* [0340]  */         illegal                
/* [0350]  */         illegal                
/* [0360]  */         illegal                
/* [0370]  */         illegal                
//@lockstep data .data.const 16
//@lockstep bytes 010000000a00000064000000e8030000
//@lockstep symbol weights .data.const 0 16
